"""TensorFlow does not refuse an index of rank 1 in tf.raw_ops.TensorListGetItem: 2.21.0. The process dies of it; exit code 0: it is refused."""

import os
import sys

import numpy as np

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
import tensorflow as tf

print("expected: an exception", flush=True)
try:
    actual = tf.raw_ops.TensorListGetItem(input_handle=tf.raw_ops.TensorListFromTensor(tensor=np.ones(4, np.float32), element_shape=np.array([], np.int32)), index=np.zeros(4, np.int32), element_shape=np.array([], np.int32), element_dtype=tf.float32)
except Exception as error:
    print("actual:  ", type(error).__name__, error)
    sys.exit(0)
print("actual:  ", actual)
sys.exit(1)
