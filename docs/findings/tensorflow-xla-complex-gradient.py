"""XLA: complex gradients of Rsqrt, Sqrt and Reciprocal are not conjugated (TensorFlow 2.21.0). Exit code 1: the bug reproduces; 0: it does not."""

import os
import sys

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
import tensorflow as tf


def gradients(x):
    found = []
    for function in (tf.math.rsqrt, tf.math.sqrt, tf.math.reciprocal):
        with tf.GradientTape() as tape:
            tape.watch(x)
            real = tf.math.real(function(x))
        found.append(tape.gradient(real, x))
    return found


x = tf.constant(1 + 2j, tf.complex64)
expected = [complex(g).__format__(".3") for g in gradients(x)]
print("expected:", expected)
actual = [complex(g).__format__(".3") for g in tf.function(gradients, jit_compile=True)(x)]
print("actual:  ", actual)
sys.exit(actual != expected)
