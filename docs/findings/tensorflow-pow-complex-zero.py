"""TensorFlow: Pow(0, 0) of complex numbers returns NaN (TensorFlow 2.21.0). Exit code 1: the bug reproduces; 0: it does not."""

import os
import sys

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
import tensorflow as tf

expected = [1 + 0j]
print("expected:", expected)
actual = tf.raw_ops.Pow(x=tf.constant([0j]), y=tf.constant([0j])).numpy().tolist()
print("actual:  ", actual)
sys.exit(actual != expected)
