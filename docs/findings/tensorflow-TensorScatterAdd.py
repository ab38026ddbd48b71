"""TensorFlow: TensorScatterAdd with updates of the wrong rank aborts (TensorFlow 2.21.0). A signal kills the process if the bug reproduces; exit code 0: it does not."""

import os
import sys

import numpy as np

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
import tensorflow as tf

print("expected: an exception", flush=True)
try:
    actual = tf.raw_ops.TensorScatterAdd(tensor=np.float32(0), indices=np.zeros((2, 2, 2), np.int32), updates=np.ones(2, np.float32))
except Exception as error:
    print("actual:  ", type(error).__name__, error)
    sys.exit(0)
print("actual:  ", actual)
sys.exit(1)
