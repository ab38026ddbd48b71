"""TensorFlow: AvgPoolGrad accepts a gradient with an extra row (TensorFlow 2.21.0). Exit code 1: the bug reproduces; 0: it does not."""

import os
import sys

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
import tensorflow as tf

print("expected: an error")
SHAPE, K = [1, 6, 8, 2], [1, 2, 2, 1]
try:
    actual = tf.raw_ops.AvgPoolGrad(orig_input_shape=SHAPE, grad=tf.ones([1, 4, 4, 2]), ksize=K, strides=K, padding="SAME")
except tf.errors.InvalidArgumentError as error:
    sys.exit(print("rejected:", error))
print("actual:  ", list(actual.shape), "sum", float(tf.reduce_sum(actual)))
sys.exit(1)
