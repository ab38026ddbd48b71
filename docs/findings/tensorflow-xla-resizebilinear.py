"""XLA: ResizeBilinear with half_pixel_centers selects a wrong element (TensorFlow 2.21.0). Exit code 1: the bug reproduces; 0: it does not."""

import os
import sys

import numpy as np

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
import tensorflow as tf

INPUT = np.array([0, 1, 4, 9, 16], np.float32).reshape(1, 1, 5, 1)


def resized(x):
    return tf.raw_ops.ResizeBilinear(images=x, size=[1, 9], align_corners=False, half_pixel_centers=True)


expected = resized(tf.constant(INPUT)).numpy().reshape(-1)
print("expected:", expected.dtype, expected.shape, expected.round(3).tolist(), flush=True)
actual = tf.function(resized, jit_compile=True)(tf.constant(INPUT)).numpy().reshape(-1)
print("actual:  ", actual.dtype, actual.shape, actual.round(3).tolist())
sys.exit(not np.allclose(actual, expected, 1e-3, 1e-3))
