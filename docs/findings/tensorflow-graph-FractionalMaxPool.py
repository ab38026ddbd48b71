"""TensorFlow: FractionalMaxPool infers pooling sequences one element too short (TensorFlow 2.21.0). Exit code 1: the bug reproduces; 0: it does not."""

import os
import sys

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
import tensorflow as tf


def call():
    return tf.raw_ops.FractionalMaxPool(value=tf.ones([2, 3, 8, 3]), pooling_ratio=[1.0, 1.44, 1.73, 1.0])


expected = [x.shape.as_list() for x in call()]
print("expected:", expected)
actual = [x.shape.as_list() for x in tf.function(call).get_concrete_function().outputs]
print("actual:  ", actual)
sys.exit(not all(tf.TensorShape(a).is_compatible_with(e) for a, e in zip(actual, expected, strict=True)))
