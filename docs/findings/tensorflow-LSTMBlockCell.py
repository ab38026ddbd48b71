"""TensorFlow: LSTMBlockCell of rank-0 inputs aborts (TensorFlow 2.21.0). A signal kills the process if the bug reproduces; exit code 0: it does not."""

import os
import sys

import numpy as np

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
import tensorflow as tf

print("expected: an exception", flush=True)
try:
    actual = tf.raw_ops.LSTMBlockCell(x=np.float32(0), cs_prev=np.float32(0), h_prev=np.float32(0), w=np.float32(0), wci=np.float32(0), wcf=np.float32(0), wco=np.float32(0), b=np.float32(0))
except Exception as error:
    print("actual:  ", type(error).__name__, error)
    sys.exit(0)
print("actual:  ", actual)
sys.exit(1)
