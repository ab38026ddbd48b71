"""XLA: SigmoidGrad and SqrtGrad broadcast their operands (TensorFlow 2.21.0). Exit code 1: the bug reproduces; 0: it does not."""

import os
import sys

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
import tensorflow as tf

print("expected: an error, as without XLA: ", end="")
y, dy = tf.fill([1, 1], 0.5), tf.ones([1, 2])
try:
    print(tf.raw_ops.SigmoidGrad(y=y, dy=dy).numpy().tolist())
except tf.errors.InvalidArgumentError as error:
    print(str(error).split("}} ")[-1])
try:
    actual = tf.function(lambda y, dy: tf.raw_ops.SigmoidGrad(y=y, dy=dy), jit_compile=True)(y, dy)
except (tf.errors.InvalidArgumentError, ValueError) as error:
    sys.exit(print("rejected:", error))
print("actual:  ", actual.numpy().tolist())
sys.exit(1)
