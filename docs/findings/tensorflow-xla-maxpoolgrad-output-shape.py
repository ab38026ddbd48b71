"""XLA: MaxPoolGrad accepts an orig_output of the wrong shape (TensorFlow 2.21.0, XLA on the CPU). Exit code 1: the bug reproduces; 0: it does not."""

import os
import sys

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
import tensorflow as tf

X, Y, GRAD = tf.reshape(tf.range(4.0), [1, 1, 4, 1]), tf.zeros([1, 1, 3, 1]), tf.ones([1, 1, 2, 1])
WINDOW = {"ksize": [1, 1, 2, 1], "strides": [1, 1, 2, 1], "padding": "SAME"}


def gradient(x, y, grad):
    return tf.raw_ops.MaxPoolGrad(orig_input=x, orig_output=y, grad=grad, **WINDOW)


print("expected: an error", flush=True)
try:
    actual = tf.function(gradient, jit_compile=True)(X, Y, GRAD)
except Exception as error:
    sys.exit(print("rejected:", error))
print("actual:  ", actual.numpy().ravel().tolist())
sys.exit(1)
