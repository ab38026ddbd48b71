"""TensorFlow: AvgPool and MaxPoolV2 ignore the stride over channels (TensorFlow 2.21.0). Exit code 1: the bug reproduces; 0: it does not."""

import os
import sys

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
import tensorflow as tf

X = tf.ones([1, 1, 1, 2])
expected = [1, 1, 1, 1]
print("expected:", expected)
actual = list(tf.raw_ops.AvgPool(value=X, ksize=[1] * 4, strides=[1, 1, 1, 2], padding="SAME").shape)
print("actual:  ", actual)
sys.exit(actual != expected)
