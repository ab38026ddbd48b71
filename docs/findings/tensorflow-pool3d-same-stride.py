"""TensorFlow: 3-D pooling with padding SAME and stride above the window shifts (TensorFlow 2.21.0). Exit code 1: the bug reproduces; 0: it does not."""

import os
import sys

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
os.environ["TF_ENABLE_ONEDNN_OPTS"] = "0"  # its own kernels
import tensorflow as tf

X = tf.reshape(tf.constant([0.0, 1.0, 2.0]), [1, 1, 1, 3, 1])
expected = tf.nn.avg_pool2d(X[0], [1, 1], [1, 3], "SAME").numpy().ravel()
print("expected:", expected.tolist())
actual = tf.nn.avg_pool3d(X, [1, 1, 1], [1, 1, 3], "SAME").numpy().ravel()
print("actual:  ", actual.tolist())
sys.exit(not (expected == actual).all())
