"""XLA: MirrorPadGrad accepts paddings as wide as the mirrored input (TensorFlow 2.21.0). Exit code 1: the bug reproduces; 0: it does not."""

import os
import sys

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
import tensorflow as tf


@tf.function(jit_compile=True)
def model(x):
    return tf.raw_ops.MirrorPadGrad(input=x, paddings=tf.constant([[1, 0], [0, 2]]), mode="REFLECT")


print("expected: an error")
try:
    actual = model(tf.ones([4, 4])).numpy().tolist()
except tf.errors.InvalidArgumentError as error:
    sys.exit(print("rejected:", error))
print("actual:  ", actual)
sys.exit(1)
