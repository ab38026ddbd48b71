"""TensorFlow: ResourceGather with batch_dims that do not match the indices aborts (TensorFlow 2.21.0). A signal kills the process if the bug reproduces; exit code 0: it does not."""

import os
import sys

import numpy as np

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
import tensorflow as tf

print("expected: an exception", flush=True)
try:
    actual = tf.raw_ops.ResourceGather(resource=tf.Variable(np.ones((4, 6, 4, 6), np.float32)).handle, indices=np.zeros((4, 6, 4, 6, 1), np.int32), batch_dims=4, dtype=tf.float32)
except Exception as error:
    print("actual:  ", type(error).__name__, error)
    sys.exit(0)
print("actual:  ", actual)
sys.exit(1)
