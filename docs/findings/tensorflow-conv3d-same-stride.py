"""TensorFlow: Conv3D with padding SAME and stride above the kernel shifts windows (TensorFlow 2.21.0). Exit code 1: the bug reproduces; 0: it does not."""

import os
import sys

os.environ.update(TF_CPP_MIN_LOG_LEVEL="3", TF_ENABLE_ONEDNN_OPTS="0")
import tensorflow as tf

X = tf.reshape(tf.range(1.0, 4.0), [1, 3, 1, 1, 1])
expected = [1.0]
print("expected:", expected)
actual = tf.nn.conv3d(X, tf.ones([1] * 5), [1, 3, 1, 1, 1], "SAME").numpy().ravel().tolist()
print("actual:  ", actual)
sys.exit(actual != expected)
