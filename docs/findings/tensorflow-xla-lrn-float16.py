"""XLA: LRN of float16 and bfloat16 does not compile (TensorFlow 2.21.0, XLA on the CPU). Exit code 1: the bug reproduces; 0: it does not."""

import os
import sys

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
import tensorflow as tf

X = tf.ones([1, 1, 1, 2], tf.float16)
print("expected:", tf.raw_ops.LRN(input=X).numpy().tolist())
try:
    actual = tf.function(lambda x: tf.raw_ops.LRN(input=x), jit_compile=True)(X)
except tf.errors.InternalError as error:
    sys.exit("actual: " + " ".join(str(error).split())[:200])
print("actual:  ", actual.numpy().tolist())
