"""XLA: ConjugateTranspose of floats returns -0 for every second element (TensorFlow 2.21.0). Exit code 1: the bug reproduces; 0: it does not."""

import os
import sys

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
import tensorflow as tf


@tf.function(jit_compile=True)
def model(x):
    return tf.raw_ops.ConjugateTranspose(x=x, perm=[1, 0])


expected = [[1.0], [2.0]]
print("expected:", expected)
actual = model(tf.constant([[1.0, 2.0]])).numpy().tolist()
print("actual:  ", actual)
sys.exit(actual != expected)
