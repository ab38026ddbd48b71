"""TensorFlow: Bincount accepts weights whose shape differs from the input's (TensorFlow 2.21.0). Exit code 1: the bug reproduces; 0: it does not."""

import os
import sys

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
import tensorflow as tf

print("expected: an error")
try:
    actual = tf.raw_ops.Bincount(arr=[0, 1], size=2, weights=[[1.0], [3.0]])
except tf.errors.InvalidArgumentError as error:
    sys.exit(print("rejected:", error))
print("actual:  ", actual.numpy().tolist())
sys.exit(1)
