"""TensorFlow: grappler makes a BiasAdd with a bias of rank 2 (TensorFlow 2.21.0). Exit code 1: the bug reproduces; 0: it does not."""

import sys

import tensorflow as tf


def model(x, bias):
    return tf.nn.bias_add(x, bias) + tf.constant([[5.0]])


x, bias = tf.ones([1, 2]), tf.constant([1.0, 2.0])
print("expected:", model(x, bias).numpy().tolist())
try:
    print("actual:  ", tf.function(model)(x, bias).numpy().tolist())
except tf.errors.InvalidArgumentError as error:
    print("actual:   InvalidArgumentError:", error.message.splitlines()[-2].strip())
    sys.exit(1)
