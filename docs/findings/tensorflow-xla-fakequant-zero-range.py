"""XLA: FakeQuantWithMinMaxVars with min = max = 0 returns NaN (TensorFlow 2.21.0). Exit code 1: the bug reproduces; 0: it does not."""

import os
import sys

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
import tensorflow as tf


@tf.function(jit_compile=True)
def model(x, low, high):
    return tf.raw_ops.FakeQuantWithMinMaxVars(inputs=x, min=low, max=high)


INPUTS = tf.ones([1]), tf.zeros([]), tf.zeros([])
expected = tf.raw_ops.FakeQuantWithMinMaxVars(inputs=INPUTS[0], min=INPUTS[1], max=INPUTS[2]).numpy().tolist()
print("expected:", expected)
actual = model(*INPUTS).numpy().tolist()
print("actual:  ", actual)
sys.exit(actual != expected)
