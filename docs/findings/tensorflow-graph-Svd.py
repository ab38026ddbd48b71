"""TensorFlow: Svd without compute_uv infers vectors instead of scalars (TensorFlow 2.21.0). Exit code 1: the bug reproduces; 0: it does not."""

import os
import sys

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
import tensorflow as tf


def call():
    return tf.raw_ops.Svd(input=tf.ones([3, 4]), compute_uv=False)


expected = [x.shape.as_list() for x in call()]
print("expected:", expected)
actual = [x.shape.as_list() for x in tf.function(call).get_concrete_function().outputs]
print("actual:  ", actual)
sys.exit(not all(tf.TensorShape(a).is_compatible_with(e) for a, e in zip(actual, expected, strict=True)))
