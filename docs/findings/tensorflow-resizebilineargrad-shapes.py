"""TensorFlow: ResizeBilinearGrad accepts an image with other channels (TensorFlow 2.21.0). Exit code 1: the bug reproduces; 0: it does not."""

import os
import sys

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
import tensorflow as tf

print("expected: an error")
try:
    actual = tf.raw_ops.ResizeBilinearGrad(grads=tf.ones([1, 1, 1, 3]), original_image=tf.ones([1, 1, 1, 2]))
except tf.errors.InvalidArgumentError as error:
    sys.exit(print("rejected:", error))
print("actual:  ", list(actual.shape))
sys.exit(1)
