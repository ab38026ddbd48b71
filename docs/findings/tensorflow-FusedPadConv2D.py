"""TensorFlow: FusedPadConv2D with a vector as image aborts (TensorFlow 2.21.0). A signal kills the process if the bug reproduces; exit code 0: it does not."""

import os
import sys

import numpy as np

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
import tensorflow as tf

print("expected: an exception", flush=True)
try:
    actual = tf.raw_ops.FusedPadConv2D(input=np.ones(2, np.float32), paddings=np.ones(2, np.int32), filter=np.ones(2, np.float32), mode='SYMMETRIC', strides=[1, 3, 3, 1], padding='VALID')
except Exception as error:
    print("actual:  ", type(error).__name__, error)
    sys.exit(0)
print("actual:  ", actual)
sys.exit(1)
