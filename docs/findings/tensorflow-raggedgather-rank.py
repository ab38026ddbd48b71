"""TensorFlow: RaggedGather with a ragged rank of 0 aborts (TensorFlow 2.21.0). A signal kills the process if the bug reproduces; exit code 0: it does not."""

import os
import sys

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
import tensorflow as tf

splits, values, indices = tf.constant([0, 1, 2], tf.int64), tf.ones([2, 3]), tf.constant([0])
print("expected: an exception", flush=True)
try:
    actual = tf.raw_ops.RaggedGather(
        params_nested_splits=[splits], params_dense_values=values, indices=indices, OUTPUT_RAGGED_RANK=0
    )
except Exception as error:
    print("actual:  ", type(error).__name__, error)
    sys.exit(0)
print("actual:  ", actual)
sys.exit(1)
