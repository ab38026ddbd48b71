"""TensorFlow: Sqrt(-1 - 0i) depends on the position in the tensor (TensorFlow 2.21.0). Exit code 1: the bug reproduces; 0: it does not."""

import os
import sys

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
import tensorflow as tf

expected = [-1j] * 5
print("expected:", expected)
actual = tf.raw_ops.Sqrt(x=tf.complex(tf.fill([5], -1.0), tf.fill([5], -0.0))).numpy().tolist()
print("actual:  ", actual)
sys.exit([z.imag for z in actual] != [z.imag for z in expected])
