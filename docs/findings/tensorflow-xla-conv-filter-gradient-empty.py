"""XLA: filter gradient of a convolution with 0 columns does not compile (TensorFlow 2.21.0, XLA on the CPU). Exit code 1: the bug reproduces; 0: it does not."""

import os
import sys

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
import tensorflow as tf

EMPTY = tf.zeros([1, 2, 0, 1])


def gradient(x):
    return tf.raw_ops.Conv2DBackpropFilter(input=x, filter_sizes=[1, 1, 1, 1], out_backprop=x, strides=[1] * 4, padding="SAME")


print("expected:", gradient(EMPTY).numpy().tolist(), flush=True)
try:
    actual = tf.function(gradient, jit_compile=True)(EMPTY)
except tf.errors.InvalidArgumentError as error:
    sys.exit("actual: " + " ".join(str(error).partition("[[{{")[0].split())[-60:])
print("actual:  ", actual.numpy().tolist())
sys.exit(actual.numpy().tolist() != [[[[0.0]]]])
