"""LiteRT: ParallelDynamicStitch with missing indices crashes the converter (ai-edge-litert 2.3.0, TensorFlow 2.21.0). A signal kills the process if the bug reproduces; exit code 0: it does not."""

import os

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
import tensorflow as tf


def stitch(x, y):
    return tf.raw_ops.ParallelDynamicStitch(indices=[1, 4], data=[x, y])


X = tf.constant([True, False])
print("expected:", stitch(X, X).shape, "or an error", flush=True)
graph = tf.function(stitch).get_concrete_function(tf.TensorSpec([2], tf.bool), tf.TensorSpec([2], tf.bool))
tf.lite.TFLiteConverter.from_concrete_functions([graph]).convert()
print("actual:   converted")
