"""TensorFlow: SparseTensorDenseMatMul with a negative shape aborts (TensorFlow 2.21.0). A signal kills the process if the bug reproduces; exit code 0: it does not."""

import os
import sys

import numpy as np

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
import tensorflow as tf

print("expected: an exception", flush=True)
try:
    actual = tf.raw_ops.SparseTensorDenseMatMul(a_indices=np.array([[0, 0]]), a_values=np.ones(1, np.float32), a_shape=np.array([-7, 2]), b=np.ones((2, 2), np.float32))
except Exception as error:
    print("actual:  ", type(error).__name__, error)
    sys.exit(0)
print("actual:  ", actual)
sys.exit(1)
