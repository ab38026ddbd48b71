"""XLA: TridiagonalMatMul of a matrix with 0 rows does not compile (TensorFlow 2.21.0, XLA on the CPU). Exit code 1: the bug reproduces; 0: it does not."""

import os
import sys

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
import tensorflow as tf

DIAGONAL, RHS = tf.zeros([1, 0]), tf.zeros([0, 1])


def product(d, rhs):
    return tf.raw_ops.TridiagonalMatMul(superdiag=d, maindiag=d, subdiag=d, rhs=rhs)


print("expected:", product(DIAGONAL, RHS).shape, flush=True)
try:
    actual = tf.function(product, jit_compile=True)(DIAGONAL, RHS)
except tf.errors.InvalidArgumentError as error:
    sys.exit("actual: " + " ".join(str(error).partition("[[{{")[0].split())[:200])
print("actual:  ", actual.shape)
sys.exit(actual.shape != (0, 1))
