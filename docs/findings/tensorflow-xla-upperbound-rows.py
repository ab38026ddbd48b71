"""XLA: UpperBound accepts a row count that differs from sorted_inputs (TensorFlow 2.21.0). Exit code 1: the bug reproduces; 0: it does not."""

import os
import sys

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
import tensorflow as tf


@tf.function(jit_compile=True)
def model(rows, values):
    return tf.raw_ops.UpperBound(sorted_inputs=rows, values=values)


print("expected: an error")
try:
    print("actual:  ", model(tf.constant([[1, 2], [3, 4], [5, 6]]), tf.constant([[2]])).numpy().tolist())
    sys.exit(1)
except (ValueError, tf.errors.InvalidArgumentError) as error:
    print("rejected:", str(error).splitlines()[0])
