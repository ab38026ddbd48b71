"""Graph inference gives u and v of Svd without compute_uv the shape (0); the kernel returns scalars."""
import os
import sys

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
import tensorflow as tf


def call():
    return tf.raw_ops.Svd(input=tf.ones([3, 4]), compute_uv=False)


expected = [x.shape.as_list() for x in call()]
inferred = [x.shape.as_list() for x in tf.function(call).get_concrete_function().outputs]
print("expected:", expected, "actual:", inferred)
sys.exit(any(len(x) != len(y) or any(m not in (n, None) for n, m in zip(x, y, strict=True)) for x, y in zip(expected, inferred, strict=True)))
