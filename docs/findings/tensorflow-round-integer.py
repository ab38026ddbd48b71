"""TensorFlow: Round of integers returns 0 (TensorFlow 2.21.0). Exit code 1: the bug reproduces; 0: it does not."""

import os
import sys

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
import tensorflow as tf

expected = [1, 2, -3]
print("expected:", expected)
actual = tf.raw_ops.Round(x=tf.constant(expected)).numpy().tolist()
print("actual:  ", actual)
sys.exit(actual != expected)
