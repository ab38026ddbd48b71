"""XLA: DenseBincount reads the length of a scalar (TensorFlow 2.21.0). Exit code 1: the bug reproduces; 0: it does not."""

import os
import sys

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
import tensorflow as tf


def model(x, w):
    return tf.raw_ops.DenseBincount(input=x, size=1, weights=w)


x, w = tf.constant(0), tf.constant(5)
print("expected:", model(x, w).numpy().tolist())
try:
    print("result:  ", tf.function(model, jit_compile=True)(x, w).numpy().tolist())
except tf.errors.InvalidArgumentError as error:
    print("actual:  ", str(error).splitlines()[0])
    sys.exit("mismatched" in str(error))
