"""XLA: TopKV2 of bfloat16 with int16 indices does not compile (TensorFlow 2.21.0, XLA on the CPU). Exit code 1: the bug reproduces; 0: it does not."""

import os
import sys

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
import tensorflow as tf

X = tf.constant([[1, 3, 2]], tf.bfloat16)
print("expected:", tf.raw_ops.TopKV2(input=X, k=2, index_type=tf.int16).indices.numpy().tolist())
try:
    actual = tf.function(lambda x: tf.raw_ops.TopKV2(input=x, k=2, index_type=tf.int16).indices, jit_compile=True)(X)
except tf.errors.InvalidArgumentError as error:
    sys.exit("actual: " + " ".join(str(error).split())[:200])
print("actual:  ", actual.numpy().tolist())
