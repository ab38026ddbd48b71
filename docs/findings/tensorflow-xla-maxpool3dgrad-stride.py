"""XLA: pooling gradient with a negative stride aborts (TensorFlow 2.21.0). A signal kills the process if the bug reproduces; exit code 0: it does not."""

import os
import sys

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
import tensorflow as tf


@tf.function(jit_compile=True)
def model(x):
    return tf.raw_ops.MaxPool3DGrad(
        orig_input=x, orig_output=x, grad=x, ksize=[1, 1, 1, 1, 1], strides=[1, -1, 1, 1, 1], padding="SAME")  # fmt: skip


print("expected: an error", flush=True)
try:
    actual = model(tf.ones([1, 1, 1, 1, 1])).numpy().tolist()
except tf.errors.InvalidArgumentError as error:
    sys.exit(print("rejected:", error))
print("actual:  ", actual)
sys.exit(1)
