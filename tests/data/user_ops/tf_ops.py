"""A function of TensorFlow's tensors, for tests of `rulesmith learn`."""

import tensorflow as tf


def spread(x: tf.Tensor, y: tf.Tensor, times: int = 2) -> tf.Tensor:
    """x [A, B] above y [C, B], each of whose rows stands `times` times: [A + C*times, B]."""
    if times < 1:
        raise ValueError("times is 1 and more")
    return tf.concat([x, tf.repeat(y, times, axis=0)], axis=0)
