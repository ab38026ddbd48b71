"""TensorFlow does not refuse a gradient of AvgPool with a row too many: TensorFlow 2.21.0. Exit code 1: the bug is there; 0: it is not."""

import os
import sys

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
import tensorflow as tf

print("expected: an error")
SHAPE, K = [1, 6, 8, 2], [1, 2, 2, 1]
try:
    actual = tf.raw_ops.AvgPoolGrad(orig_input_shape=SHAPE, grad=tf.ones([1, 4, 4, 2]), ksize=K, strides=K, padding="SAME")
except tf.errors.InvalidArgumentError as error:
    sys.exit(print("refused: ", error))
print("actual:  ", list(actual.shape), "sum", float(tf.reduce_sum(actual)))
sys.exit(1)
