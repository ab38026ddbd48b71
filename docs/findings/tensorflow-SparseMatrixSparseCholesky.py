"""TensorFlow: SparseMatrixSparseCholesky with a bad permutation crashes (TensorFlow 2.21.0). A signal kills the process if the bug reproduces; exit code 0: it does not."""

import os
import sys

import numpy as np

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
import tensorflow as tf

print("expected: an exception", flush=True)
try:
    actual = tf.raw_ops.SparseMatrixSparseCholesky(input=tf.raw_ops.DenseToCSRSparseMatrix(dense_input=np.eye(3, dtype=np.float32) + 1, indices=np.argwhere(np.ones((3, 3)))), permutation=np.array([2, 400000000, 3], np.int32), type=tf.float32)
except Exception as error:
    print("actual:  ", type(error).__name__, error)
    sys.exit(0)
print("actual:  ", actual)
sys.exit(1)
