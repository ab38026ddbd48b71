"""XLA: SelfAdjointEigV2 of complex64 reads eigenvalues out of bounds (TensorFlow 2.21.0, XLA on the CPU). Exit code 1: the bug reproduces; 0: it does not."""

import os
import sys

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
import tensorflow as tf

MATRIX = tf.constant([[1 + 0j, 2j], [-2j, 3 + 0j]], tf.complex64)
expected = tf.raw_ops.SelfAdjointEigV2(input=MATRIX).e
print("expected:", expected.numpy().tolist())
actual = tf.function(lambda x: tf.raw_ops.SelfAdjointEigV2(input=x).e, jit_compile=True)(MATRIX)
print("actual:  ", actual.numpy().tolist())
sys.exit(not abs(expected - actual).numpy().max() < 1e-3)
