"""TensorFlow: TensorListGetItem with an index of rank 1 aborts (TensorFlow 2.21.0). A signal kills the process if the bug reproduces; exit code 0: it does not."""

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
