"""XLA: SelfAdjointEigV2 returns vectors with compute_v = False (TensorFlow 2.21.0, XLA on the CPU). Exit code 1: the bug reproduces; 0: it does not."""

import os
import sys

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
import tensorflow as tf

MATRIX = tf.constant([[1.0, 2.0], [2.0, 3.0]])
expected = tf.TensorShape([])
print("expected:", expected)
actual = tf.function(lambda x: tf.raw_ops.SelfAdjointEigV2(input=x, compute_v=False).v, jit_compile=True)(MATRIX).shape
print("actual:  ", actual)
sys.exit(actual != expected)
