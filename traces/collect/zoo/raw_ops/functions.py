"""Functions that people write with TensorFlow beside layers: losses, metrics, optimizers, preprocessing, quantization."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import keras
import numpy as np
import tensorflow as tf

Function = Callable[..., Any]
Program = tuple[str, Function, list[Any]]
"""Name, function, arguments."""
CLASSES = 4


def _floats(*shape: int, seed: int = 0) -> Any:
    return tf.constant(np.random.default_rng(seed).standard_normal(shape).astype(np.float32))


def _integers(dtype: Any, high: int, *shape: int) -> Any:
    return tf.constant(np.random.default_rng(0).integers(0, high, shape), dtype)


LOSSES: dict[str, Function] = {
    "squared": lambda y, t: tf.reduce_mean(tf.square(y - t)),
    "absolute": lambda y, t: tf.reduce_mean(tf.abs(y - t)),
    "softmax": lambda y, t: tf.reduce_mean(tf.nn.softmax_cross_entropy_with_logits(tf.nn.softmax(t), y)),
    "sparse": lambda y, t: tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(tf.argmax(t, -1), y)),
    "sigmoid": lambda y, t: tf.reduce_mean(tf.nn.sigmoid_cross_entropy_with_logits(tf.sigmoid(t), y)),
    "log": lambda y, t: -tf.reduce_sum(tf.nn.softmax(t) * tf.math.log(tf.nn.softmax(y)), -1),
    "categorical": lambda y, t: keras.losses.CategoricalCrossentropy()(tf.nn.softmax(t), tf.nn.softmax(y)),
    "binary": lambda y, t: keras.losses.BinaryCrossentropy()(tf.sigmoid(t), tf.sigmoid(y)),
    "divergence": lambda y, t: keras.losses.KLDivergence()(tf.nn.softmax(t), tf.nn.softmax(y)),
    "poisson": lambda y, t: keras.losses.Poisson()(tf.exp(t), tf.exp(y)),
    "logcosh": lambda y, t: keras.losses.LogCosh()(t, y),
    "huber": lambda y, t: keras.losses.Huber()(t, y),
    "hinge": lambda y, t: keras.losses.Hinge()(tf.sign(t), y),
    "cosine": lambda y, t: keras.losses.CosineSimilarity()(t, y),
    "focal": lambda y, t: keras.losses.BinaryFocalCrossentropy()(tf.sigmoid(t), tf.sigmoid(y)),
    "dice": lambda y, t: keras.losses.Dice()(tf.sigmoid(t), tf.sigmoid(y)),
    "gaussian": lambda y, t: tf.reduce_mean(0.5 * (tf.math.log(tf.exp(y) + 1e-6) + tf.square(t - y) / (tf.exp(y) + 1e-6))),
    "regularized": lambda y, t: tf.nn.l2_loss(y) * 0.01 + tf.reduce_sum(tf.abs(y)) * 0.0 + tf.reduce_mean((y - t) ** 2),
}
"""Of predictions and targets."""
POINTWISE: dict[str, Function] = {
    "softplus": lambda x: tf.math.log(1.0 + tf.exp(x)),
    "logistic": lambda x: 1.0 / (1.0 + tf.exp(-x)),
    "reciprocal": lambda x: tf.math.reciprocal(1.0 + tf.exp(-x)),
    "logit": lambda x: tf.math.log(tf.sigmoid(x) / (1.0 - tf.sigmoid(x))),
    "logsumexp": lambda x: tf.math.log(tf.reduce_sum(tf.exp(x - tf.reduce_max(x, -1, keepdims=True)), -1)),
    "logaddexp": lambda x: tf.math.log(tf.exp(x) + tf.exp(tf.reverse(x, [0]))),
    "geometric": lambda x: tf.exp(tf.reduce_mean(tf.math.log(tf.exp(x)), -1)),
    "decibel": lambda x: 10.0 * tf.math.log(tf.square(x) + 1e-6) / tf.math.log(10.0),
    "harmonic": lambda x: tf.math.reciprocal(tf.math.reciprocal(tf.abs(x) + 1.0) + tf.math.reciprocal(tf.exp(x))),
    "inverse": lambda x: tf.math.reciprocal(tf.math.reciprocal(tf.exp(x))) * x,
    "zeroed": lambda x: x * 0.0 + tf.nn.relu(x),
    "frozen": lambda x: tf.stop_gradient(x - tf.tanh(x)) * 0.0 + tf.tanh(x),
    "masked": lambda x: tf.where(tf.math.is_nan(x), tf.zeros_like(x), x) * tf.cast(x > 0.0, tf.float32),
    "finite": lambda x: tf.where(tf.math.is_finite(x), x, 0.0) / tf.maximum(tf.abs(x), 1e-6),
    "rounded": lambda x: tf.cast(tf.cast(tf.round(x * 127.0), tf.int8), tf.float32) / 127.0,
    "half": lambda x: tf.cast(tf.nn.relu(tf.cast(x, tf.float16)) * tf.cast(2.0, tf.float16), tf.float32),
    "transposed": lambda x: tf.transpose(tf.nn.relu(tf.transpose(x))),
    "reshaped": lambda x: tf.reshape(tf.reshape(x, [-1]) * 2.0, tf.shape(x)),
    "roots": lambda x: tf.sqrt(tf.square(x) + tf.square(x - 1.0)) * tf.math.rsqrt(tf.reduce_sum(x * x, -1, keepdims=True)),
    "polynomial": lambda x: x * x * x + tf.pow(x, 2.0) - tf.negative(tf.negative(x)),
    "clipped": lambda x: tf.clip_by_norm(x, 1.0) + tf.clip_by_value(x, -0.5, 0.5) + tf.clip_by_global_norm([x], 1.0)[0][0],
    "scores": lambda x: tf.nn.top_k(tf.nn.softmax(x), 2).values + tf.gather(x, [1, 0], axis=-1),
    "triangle": lambda x: tf.linalg.band_part(tf.matmul(x, x, transpose_b=True), -1, 0) - 1e9 * (1.0 - tf.linalg.band_part(tf.ones((5, 5)), -1, 0)),
    "kept": lambda x: tf.reduce_sum(x, 1, keepdims=True) * tf.cast(tf.shape(x)[1], tf.float32) + tf.add_n([x, x, x]),
    "quantized": lambda x: tf.quantization.quantize_and_dequantize_v2(tf.nn.relu(x), 0.0, 6.0) @ tf.quantization.fake_quant_with_min_max_vars(tf.transpose(x), -1.0, 1.0),
}  # fmt: skip
"""Of a matrix."""
INTEGERS: dict[str, Function] = {
    "square": lambda x: tf.where(x * x < 0, tf.abs(x * x), x * x),
    "hash": lambda x: tf.math.floormod(x * 31 + 7, 13),
    "halves": lambda x: tf.math.floordiv(x + 1, 2) - tf.math.minimum(x, 3),
    "absolute": lambda x: tf.maximum(-x, tf.abs(x)) * tf.sign(x),
    "counted": lambda x: tf.reduce_sum(tf.cast(tf.equal(x, 3), tf.int32)) + tf.cast(tf.reduce_max(x), tf.int32),
    "sorted": lambda x: tf.gather(x, tf.argsort(x[:, 0])) + tf.cumsum(x, 1),
    "scaled": lambda x: tf.cast(tf.cast(x, tf.float32) * (1.0 / 255.0) - 0.5, tf.float32) * 2.0,
    "dequantized": lambda x: (tf.cast(x, tf.float32) - 3.0) * 0.05 + 0.1,
    "requantized": lambda x: tf.cast(tf.clip_by_value(tf.round((tf.cast(x, tf.float32) - 3.0) * 0.5), -128.0, 127.0), tf.int8),
    "positions": lambda x: tf.one_hot(x, 8) @ tf.ones((8, 2)) + tf.cast(tf.reduce_any(x > 2, -1, keepdims=True), tf.float32)[..., tf.newaxis],
    "bits": lambda x: tf.bitwise.bitwise_xor(tf.bitwise.left_shift(x, tf.ones_like(x)), x),
}  # fmt: skip
"""Of a matrix of integers."""
OPTIMIZERS: dict[str, Function] = {
    "momentum": lambda w, g, m, v: (w - 0.1 * (0.9 * m + g), 0.9 * m + g),
    "nesterov": lambda w, g, m, v: w + 0.9 * (0.9 * m - 0.1 * g) - 0.1 * g,
    "adam": lambda w, g, m, v: w - 0.01 * (m + (g - m) * 0.1) / (tf.sqrt(v + (tf.square(g) - v) * 0.001) + 1e-7),
    "adamax": lambda w, g, m, v: w - 0.01 * m / (tf.maximum(0.999 * v, tf.abs(g)) + 1e-7),
    "rmsprop": lambda w, g, m, v: w - 0.01 * g * tf.math.rsqrt(0.9 * v + 0.1 * tf.square(g) + 1e-7),
    "adagrad": lambda w, g, m, v: w - 0.01 * g / tf.sqrt(v + g * g + 1e-7),
    "lion": lambda w, g, m, v: w - 0.01 * (tf.sign(0.9 * m + 0.1 * g) + 0.1 * w),
    "decay": lambda w, g, m, v: w - 0.01 * tf.clip_by_norm(g, 1.0) - w * 0.0 * m,
    "norm": lambda w, g, m, v: w - 0.01 * g / tf.maximum(tf.norm(g, axis=0, keepdims=True), 1.0) * tf.norm(w),
}
"""Of weights, gradients and two moments."""


def _metrics() -> Iterator[Program]:
    logits, labels = _floats(5, CLASSES), _integers(tf.int32, CLASSES, 5)
    yield "in_top_k", lambda y, t: tf.reduce_mean(tf.cast(tf.math.in_top_k(t, y, 2), tf.float32)), [logits, labels]
    yield "in_top_softmax", lambda y, t: tf.math.in_top_k(t, tf.nn.softmax(y * 2.0), 1), [logits, labels]
    yield "accuracy", lambda y, t: tf.reduce_mean(tf.cast(tf.equal(tf.argmax(y, -1, tf.int32), t), tf.float32)), [logits, labels]
    yield "confusion", lambda y, t: tf.math.confusion_matrix(t, tf.argmax(y, -1), CLASSES), [logits, labels]
    yield "smoothed", lambda y, t: tf.one_hot(t, CLASSES) * 0.9 + 0.1 / CLASSES - tf.nn.log_softmax(y), [logits, labels]
    yield "segments", lambda y, t: tf.math.unsorted_segment_sum(tf.nn.relu(y), t, CLASSES) * 2.0, [logits, labels]


def _images() -> Iterator[Program]:
    image, kernel, scale = _floats(2, 8, 8, 3), _floats(3, 3, 3, 4, seed=1), tf.abs(_floats(4, seed=2))
    for padding, stride in (("SAME", 1), ("VALID", 2)):
        for name, act in (("relu", tf.nn.relu), ("relu6", tf.nn.relu6), ("elu", tf.nn.elu), ("leaky", tf.nn.leaky_relu), ("tanh", tf.tanh)):
            yield f"conv_{name}", lambda x, w, b, s=stride, p=padding, act=act: act(tf.nn.bias_add(tf.nn.conv2d(x, w, s, p), b)), [image, kernel, scale]
    yield "batch_norm", lambda x, w, b: tf.nn.relu(tf.compat.v1.nn.fused_batch_norm(tf.nn.conv2d(x, w, 1, "SAME"), b, b)[0]), [image, kernel, scale]
    yield "batch_norm_folded", lambda x, w, b: tf.nn.relu(tf.compat.v1.nn.fused_batch_norm(tf.nn.conv2d(x, w, 1, "SAME"), b, b, b, b, is_training=False)[0]), [image, kernel, scale]
    yield "add_act", lambda x, w, b: tf.nn.relu(tf.nn.bias_add(tf.nn.conv2d(x, w, 1, "SAME"), b) + tf.nn.conv2d(x, w, 1, "SAME")), [image, kernel, scale]
    yield "pad_conv", lambda x, w, b: tf.nn.conv2d(tf.pad(x, [[0, 0], [1, 1], [1, 1], [0, 0]]), w, 1, "VALID") * b, [image, kernel, scale]
    yield "dense_relu", lambda x, w, b: tf.nn.relu(tf.nn.bias_add(tf.matmul(tf.reshape(x, [-1, 3]), w[0, 0]), b)), [image, kernel, scale]
    bytes_ = _integers(tf.uint8, 255, 2, 6, 6, 3)
    yield "float_image", lambda x: (tf.image.convert_image_dtype(x, tf.float32) - 0.5) * 2.0, [bytes_]
    yield "standardized", lambda x: tf.image.per_image_standardization(tf.cast(x, tf.float32)), [bytes_]
    yield "resized", lambda x: tf.cast(tf.image.resize(x, (4, 4)), tf.uint8), [bytes_]
    yield "grayscale", lambda x: tf.image.rgb_to_grayscale(tf.image.flip_left_right(tf.cast(x, tf.float32) / 255.0)), [bytes_]


def programs() -> Iterator[Program]:
    """All functions with arguments."""
    one, two = _floats(5, CLASSES), _floats(5, CLASSES, seed=1)
    for name, function in LOSSES.items():
        yield f"loss_{name}", function, [one, two]
    for name, function in POINTWISE.items():
        yield f"pointwise_{name}", function, [one]
    for dtype in (tf.int8, tf.uint8, tf.int16, tf.int32, tf.int64):
        for name, function in INTEGERS.items():
            yield f"{dtype.name}_{name}", function, [_integers(dtype, 7, 3, 5)]
    for name, function in OPTIMIZERS.items():
        yield f"optimizer_{name}", function, [one, two, _floats(5, CLASSES, seed=2), tf.square(one)]
    yield from _metrics()
    yield from _images()
