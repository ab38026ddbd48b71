"""TensorFlow: ResourceApplyGradientDescent with a wrong variable dtype aborts (TensorFlow 2.21.0). A signal kills the process if the bug reproduces; exit code 0: it does not."""

import os
import sys

import numpy as np

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
import tensorflow as tf

print("expected: an exception", flush=True)
try:
    actual = tf.raw_ops.ResourceApplyGradientDescent(var=tf.Variable(np.float32(0)).handle, alpha=np.float64(1), delta=np.float64(1))
except Exception as error:
    print("actual:  ", type(error).__name__, error)
    sys.exit(0)
print("actual:  ", actual)
sys.exit(1)
