"""XLA: ConjugateTranspose of integers does not compile (TensorFlow 2.21.0, XLA on the CPU). Exit code 1: the bug reproduces; 0: it does not."""

import os
import sys

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
import tensorflow as tf

X = tf.constant([[1, 0]], tf.int32)
print("expected:", tf.raw_ops.ConjugateTranspose(x=X, perm=[1, 0]).numpy().tolist(), flush=True)
try:
    actual = tf.function(lambda x: tf.raw_ops.ConjugateTranspose(x=x, perm=[1, 0]), jit_compile=True)(X)
except tf.errors.InvalidArgumentError as error:
    sys.exit("actual: " + " ".join(str(error).split())[:200])
print("actual:  ", actual.numpy().tolist())
