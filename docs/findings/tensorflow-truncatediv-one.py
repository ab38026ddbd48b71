"""TensorFlow: grappler removes TruncateDiv of floats by 1 (TensorFlow 2.21.0). Exit code 1: the bug reproduces; 0: it does not."""

import os
import sys

os.environ.update(TF_CPP_MIN_LOG_LEVEL="3", TF_ENABLE_ONEDNN_OPTS="0")
import tensorflow as tf

X = tf.constant([4.25, -1.5])


def model(x):
    return tf.raw_ops.TruncateDiv(x=x, y=tf.constant([1.0, 1.0]))


expected = model(X).numpy().tolist()
print("expected:", expected)
actual = tf.function(model, autograph=False)(X).numpy().tolist()
print("actual:  ", actual)
sys.exit(actual != expected)
