"""TensorFlow: grappler stacks the wrong output of a Split (TensorFlow 2.21.0). Exit code 1: the bug reproduces; 0: it does not."""

import sys

import tensorflow as tf


def model(x):
    second = tf.split(x, 2)[1]
    return tf.stack([second, second, second])


x = tf.constant([7.0, 9.0])
expected = model(x).numpy().tolist()
print("expected:", expected)
actual = tf.function(model)(x).numpy().tolist()
print("actual:  ", actual)
sys.exit(actual != expected)
