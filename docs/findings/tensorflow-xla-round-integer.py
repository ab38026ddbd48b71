"""XLA: Round of integers does not compile (TensorFlow 2.21.0). Exit code 1: the bug reproduces; 0: it does not."""

import os
import sys

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
import tensorflow as tf


@tf.function(jit_compile=True)
def model(x):
    return tf.raw_ops.Round(x=x)


print("expected: [1, 2, -3]")
try:
    print("result:  ", model(tf.constant([1, 2, -3])).numpy().tolist())
except tf.errors.InvalidArgumentError as error:
    print("actual:  ", str(error).splitlines()[0])
    sys.exit(1)
