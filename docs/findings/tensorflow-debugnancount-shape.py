"""TensorFlow: shape inference of DebugNanCount gives a scalar, not a vector (TensorFlow 2.21.0). Exit code 1: the bug reproduces; 0: it does not."""

import os
import sys

os.environ.update(TF_CPP_MIN_LOG_LEVEL="3", TF_ENABLE_ONEDNN_OPTS="0")
import tensorflow as tf

X = tf.ones([3])


def model(x):
    return tf.raw_ops.DebugNanCount(input=x, tensor_name="x:0")


expected = model(X).shape.as_list()
print("expected:", expected)
actual = tf.function(model, autograph=False).get_concrete_function(X).structured_outputs.shape.as_list()
print("actual:  ", actual)
sys.exit(actual != expected)
