"""Graph inference gives the pooling sequences one element less than the kernel does."""
import os
import sys

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
import tensorflow as tf


def call():
    return tf.raw_ops.FractionalMaxPool(value=tf.ones([2, 3, 8, 3]), pooling_ratio=[1.0, 1.44, 1.73, 1.0])


expected = [x.shape.as_list() for x in call()]
inferred = [x.shape.as_list() for x in tf.function(call).get_concrete_function().outputs]
print("expected:", expected, "actual:", inferred)
sys.exit(any(len(x) != len(y) or any(m not in (n, None) for n, m in zip(x, y, strict=True)) for x, y in zip(expected, inferred, strict=True)))
