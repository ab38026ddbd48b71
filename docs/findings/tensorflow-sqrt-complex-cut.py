"""TensorFlow: Sqrt of a complex -1 - 0i depends on where it stands: TensorFlow 2.21.0. Exit code 1: the bug is there; 0: it is not."""

import os
import sys

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
import tensorflow as tf

expected = [-1j] * 5
print("expected:", expected)
actual = tf.raw_ops.Sqrt(x=tf.complex(tf.fill([5], -1.0), tf.fill([5], -0.0))).numpy().tolist()
print("actual:  ", actual)
sys.exit([z.imag for z in actual] != [z.imag for z in expected])
