"""Keras layers, small applications and TensorFlow functions."""

from __future__ import annotations

import importlib
import os
from collections.abc import Callable, Iterator
from typing import Any

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")

import keras
import numpy as np
import tensorflow as tf
from keras import layers as kl

IMAGE, SEQUENCE = (8, 8, 3), (5, 8)


def _gelu(x: Any) -> Any:
    return keras.activations.gelu(x, approximate=True)


def _after(*more: Any, **told: Any) -> list[Any]:
    return [kl.Conv2D(4, 3, padding="same", **told), *more]


def _normalized(*more: Any) -> list[Any]:
    return _after(kl.BatchNormalization(), *more, use_bias=False)


IMAGES: dict[str, Callable[[], list[Any]]] = {
    "KerasConvSame": lambda: _after(strides=2, activation="relu"),
    "KerasConvBn": lambda: _normalized(kl.ReLU()),
    "KerasConvBnRelu6": lambda: _normalized(kl.ReLU(6.0)),
    "KerasConvLeaky": lambda: _normalized(kl.LeakyReLU(0.1)),
    "KerasConvSwish": lambda: _normalized(kl.Activation("swish")),
    "KerasConvGelu": lambda: _after(kl.Activation(_gelu)),
    "KerasConvHard": lambda: _after(kl.Activation("hard_silu"), kl.Activation("hard_sigmoid")),
    "KerasConvPRelu": lambda: _after(kl.PReLU(shared_axes=[1, 2])),
    "KerasConvElu": lambda: _after(kl.ELU(), kl.Activation("selu"), kl.Activation("softplus")),
    "KerasReluClip": lambda: _after(kl.ReLU(max_value=4.0, negative_slope=0.1, threshold=0.2)),
    "KerasPadConv": lambda: [kl.ZeroPadding2D(1), kl.Conv2D(4, 3, strides=2), kl.BatchNormalization(), kl.ReLU()],
    "KerasPadConvOdd": lambda: [kl.ZeroPadding2D(((0, 1), (0, 1))), kl.DepthwiseConv2D(3, strides=2), kl.ReLU(6.0)],
    "KerasPadMaxPool": lambda: _normalized(kl.ReLU(), kl.ZeroPadding2D(1), kl.MaxPooling2D(3, 2)),
    "KerasPoolSame": lambda: _after(kl.MaxPooling2D(3, 2, padding="same"), kl.AveragePooling2D(2, padding="same")),
    "KerasDepthwise": lambda: [kl.DepthwiseConv2D(3, padding="same", strides=2), kl.BatchNormalization(), kl.ReLU(6.0)],
    "KerasSeparable": lambda: [kl.SeparableConv2D(4, 3, padding="same"), kl.BatchNormalization(), kl.Activation("relu")],
    "KerasDilated": lambda: _after(kl.Activation("tanh"), dilation_rate=2),
    "KerasTransposed": lambda: [kl.Conv2DTranspose(4, 3, strides=2, padding="same"), kl.BatchNormalization(), kl.ReLU()],
    "KerasUpsample": lambda: [kl.UpSampling2D(2), kl.Conv2D(4, 3, padding="same"), kl.UpSampling2D(2, interpolation="bilinear")],
    "KerasGlobal": lambda: _after(kl.GlobalAveragePooling2D(), kl.Dropout(0.2), kl.Dense(5, activation="softmax")),
    "KerasGlobalMax": lambda: _after(kl.GlobalMaxPooling2D(keepdims=True), kl.Flatten(), kl.Dense(5), kl.ReLU(6.0)),
    "KerasFlatten": lambda: _after(kl.MaxPooling2D(), kl.Flatten(), kl.Dense(6, activation="relu"), kl.Dense(2)),
    "KerasGroupNorm": lambda: _after(kl.GroupNormalization(2), kl.Activation("swish")),
    "KerasLayerNorm": lambda: _after(kl.LayerNormalization(axis=[1, 2, 3])),
    "KerasSpectral": lambda: _after(kl.UnitNormalization(), kl.Rescaling(0.5, -1.0)),
    "KerasCrop": lambda: _after(kl.Cropping2D(((1, 2), (0, 1))), kl.Permute((3, 1, 2))),
    "KerasReshape": lambda: _after(kl.Reshape((-1, 4)), kl.Permute((2, 1)), kl.Reshape((4, 8, -1))),
    "KerasRescaleConv": lambda: [kl.Rescaling(1 / 127.5, -1.0), kl.Conv2D(4, 3, strides=2, padding="same"), kl.BatchNormalization()],
    "KerasNormalizeConv": lambda: [kl.Normalization(mean=[0.1, 0.2, 0.3], variance=[1.0, 2.0, 3.0]), kl.Conv2D(4, 3)],
    "KerasResizing": lambda: [kl.Resizing(5, 6), kl.Conv2D(4, 3, activation="sigmoid")],
}
SEQUENCES: dict[str, Callable[[], list[Any]]] = {
    "KerasDense": lambda: [kl.Dense(8, activation="relu"), kl.Dense(4, activation=_gelu), kl.Softmax()],
    "KerasSeqNorm": lambda: [kl.LayerNormalization(), kl.Dense(8, activation="tanh")],
    "KerasRmsNorm": lambda: [kl.RMSNormalization(), kl.Dense(8, activation="swish")],
    "KerasBatchNormDense": lambda: [kl.Dense(8, use_bias=False), kl.BatchNormalization(), kl.ReLU()],
    "KerasConv1d": lambda: [kl.Conv1D(6, 3, padding="causal", activation="relu"), kl.MaxPooling1D(2), kl.GlobalAveragePooling1D()],
    "KerasConv1dSame": lambda: [kl.Conv1D(6, 3, strides=2, padding="same"), kl.BatchNormalization(), kl.AveragePooling1D(2, padding="same")],
    "KerasLstm": lambda: [kl.LSTM(6, return_sequences=True)],
    "KerasGru": lambda: [kl.GRU(6)],
    "KerasGruPlain": lambda: [kl.GRU(6, reset_after=False, return_sequences=True)],
    "KerasRnn": lambda: [kl.SimpleRNN(6)],
    "KerasBidirectional": lambda: [kl.Bidirectional(kl.LSTM(4))],
    "KerasDistributed": lambda: [kl.TimeDistributed(kl.Dense(4, activation="relu")), kl.Flatten(), kl.RepeatVector(2)],
}


def _residual(x: Any) -> Any:
    y = kl.ReLU()(kl.BatchNormalization()(kl.Conv2D(3, 3, padding="same")(x)))
    return kl.ReLU()(kl.Add()([x, kl.BatchNormalization()(kl.Conv2D(3, 3, padding="same")(y))]))


def _squeeze(x: Any) -> Any:
    y = kl.Conv2D(8, 3, padding="same", activation="swish")(x)
    s = kl.Reshape((1, 1, 8))(kl.GlobalAveragePooling2D()(y))
    s = kl.Conv2D(8, 1, activation="sigmoid")(kl.Conv2D(2, 1, activation="swish")(s))
    return kl.Multiply()([y, s])


def _unet(x: Any) -> Any:
    y = kl.UpSampling2D()(kl.Conv2D(4, 3, padding="same", activation="relu")(kl.MaxPooling2D()(x)))
    return kl.Conv2D(1, 1, activation="sigmoid")(kl.Concatenate()([x, y]))


def _transformer(x: Any) -> Any:
    y = kl.LayerNormalization(epsilon=1e-6)(x)
    x = kl.Add()([x, kl.MultiHeadAttention(2, 4)(y, y)])
    y = kl.LayerNormalization(epsilon=1e-6)(x)
    return kl.Add()([x, kl.Dense(8)(kl.Dense(16, activation=_gelu)(y))])


GRAPHS: dict[str, tuple[tuple[int, ...], Callable[[Any], Any]]] = {
    "KerasResidual": (IMAGE, _residual),
    "KerasSqueeze": (IMAGE, _squeeze),
    "KerasUNet": (IMAGE, _unet),
    "KerasTransformer": (SEQUENCE, _transformer),
    "KerasAttention": (SEQUENCE, lambda x: kl.Attention(use_scale=True)([x, x])),
    "KerasAdditive": (SEQUENCE, lambda x: kl.AdditiveAttention()([x, x])),
    "KerasGated": (SEQUENCE, lambda x: kl.Multiply()([kl.Dense(8, activation="sigmoid")(x), kl.Dense(8)(x)])),
    "KerasDot": (SEQUENCE, lambda x: kl.Dot(axes=2, normalize=True)([x, kl.Dense(8)(x)])),
    "KerasMerge": (SEQUENCE, lambda x: kl.Maximum()([kl.Average()([x, kl.Dense(8)(x)]), kl.Subtract()([x, kl.Minimum()([x, x])])])),
}
FUNCTIONS: dict[str, tuple[tuple[int, ...], Callable[[Any], Any]]] = {
    "TfMoments": (IMAGE, lambda x: (x - tf.nn.moments(x, [1, 2], keepdims=True)[0]) * tf.math.rsqrt(tf.nn.moments(x, [1, 2], keepdims=True)[1] + 1e-3)),
    "TfVariance": (SEQUENCE, lambda x: (x - tf.reduce_mean(x, -1, keepdims=True)) / tf.sqrt(tf.math.reduce_variance(x, -1, keepdims=True) + 1e-6)),
    "TfReluClip": (IMAGE, lambda x: tf.clip_by_value(tf.nn.relu(x), -1.0, 3.0)),
    "TfRelu6": (IMAGE, lambda x: tf.nn.relu6(x + 3.0) * x / 6.0),
    "TfMinimum": (IMAGE, lambda x: tf.minimum(tf.maximum(tf.nn.relu(x), 0.0), 6.0)),
    "TfGelu": (SEQUENCE, lambda x: 0.5 * x * (1.0 + tf.math.erf(x / np.sqrt(2.0).astype(np.float32)))),
    "TfGeluTanh": (SEQUENCE, lambda x: x * 0.5 * (1.0 + tf.tanh(0.7978846 * (x + 0.044715 * tf.pow(x, 3.0))))),
    "TfNormalize": (SEQUENCE, lambda x: tf.math.l2_normalize(x, -1)),
    "TfSpaceToDepth": (IMAGE, lambda x: tf.nn.relu(tf.nn.space_to_depth(x, 2))),
    "TfDepthToSpace": (IMAGE, lambda x: tf.nn.depth_to_space(tf.concat([x, x, x, x], -1), 2) * 2.0),
    "TfResizeNearest": (IMAGE, lambda x: tf.image.resize(x, (5, 5), method="nearest") + 1.0),
    "TfResizeBilinear": (IMAGE, lambda x: tf.compat.v1.image.resize_bilinear(x, (16, 16), align_corners=True)),
    "TfResizeShape": (IMAGE, lambda x: tf.image.resize(x[:, ::2, ::2], tf.shape(x)[1:3])),
    "TfReflect": (IMAGE, lambda x: tf.nn.avg_pool2d(tf.pad(x, [[0, 0], [1, 1], [1, 1], [0, 0]], "REFLECT"), 3, 1, "VALID")),
    "TfPadMaxPool": (IMAGE, lambda x: tf.nn.max_pool2d(tf.pad(x, [[0, 0], [1, 0], [1, 0], [0, 0]]), 3, 2, "VALID")),
    "TfPadConv": (IMAGE, lambda x: tf.nn.bias_add(tf.nn.conv2d(tf.pad(x, [[0, 0], [1, 1], [1, 1], [0, 0]]), tf.ones((3, 3, 3, 4)) / 9, 2, "VALID"), [1.0, 2.0, 3.0, 4.0])),
    "TfDilated": (IMAGE, lambda x: tf.nn.relu(tf.nn.atrous_conv2d(x, tf.ones((3, 3, 3, 2)), 2, "SAME"))),
    "TfReshapeShape": (IMAGE, lambda x: tf.reshape(x, [tf.shape(x)[0], -1, tf.shape(x)[3]]) * 2.0),
    "TfExpand": (SEQUENCE, lambda x: tf.tile(tf.reduce_mean(x, 1, keepdims=True), [1, tf.shape(x)[1], 1]) - x),
    "TfStridedSlice": (SEQUENCE, lambda x: x[:, 1:, ::2] + x[:, :-1, 1::2]),
    "TfSliceNewAxis": (SEQUENCE, lambda x: tf.squeeze(x[:, tf.newaxis, 0], 1) * x[:, -1]),
    "TfGather": (SEQUENCE, lambda x: tf.gather(x, [4, 0, 2], axis=1) + tf.gather(x, [1, 2, 3], axis=1)),
    "TfOneHot": (SEQUENCE, lambda x: tf.one_hot(tf.argmax(x, -1), 8) * x),
    "TfTopK": (SEQUENCE, lambda x: tf.math.top_k(x, 3)[0] * 2.0),
    "TfWhere": (SEQUENCE, lambda x: tf.where(x > 0.0, tf.exp(-x), 1.0 - x)),
    "TfEinsum": (SEQUENCE, lambda x: tf.einsum("bij,bkj->bik", x, x) / 2.8),
    "TfMatMul": (SEQUENCE, lambda x: tf.nn.softmax(tf.matmul(x, x, transpose_b=True) * 0.35) @ x),
    "TfSplit": (SEQUENCE, lambda x: tf.concat([tf.sigmoid(p) for p in tf.split(x, 4, -1)], -1)),
    "TfStack": (SEQUENCE, lambda x: tf.stack([tf.tanh(p) for p in tf.unstack(x, axis=1)], 1)),
    "TfFakeQuant": (IMAGE, lambda x: tf.nn.conv2d(tf.quantization.fake_quant_with_min_max_args(x, -6.0, 6.0), tf.quantization.fake_quant_with_min_max_vars_per_channel(tf.ones((3, 3, 3, 2)), [-1.0, -2.0], [1.0, 2.0], narrow_range=True), 1, "SAME")),
    "TfLocalResponse": (IMAGE, lambda x: tf.nn.local_response_normalization(x, 1)),
    "TfCast": (SEQUENCE, lambda x: tf.cast(tf.cast(x * 10.0, tf.int32), tf.float32) / 10.0),
    "TfFloorMod": (SEQUENCE, lambda x: tf.math.floormod(x, 0.7) + tf.math.floordiv(x, 0.7)),
    "TfCumsum": (SEQUENCE, lambda x: tf.cumsum(x, 1, reverse=True)),
    "TfReverse": (SEQUENCE, lambda x: tf.reverse(x, [1]) + x),
    "TfMask": (SEQUENCE, lambda x: x + (1.0 - tf.cast(tf.sequence_mask([3, 4], 5), tf.float32))[:, :, tf.newaxis] * -1e9),
    "TfLogSoftmax": (SEQUENCE, lambda x: tf.nn.log_softmax(x) + tf.reduce_logsumexp(x, -1, keepdims=True)),
    "TfSquaredDifference": (SEQUENCE, lambda x: tf.reduce_sum(tf.math.squared_difference(x, tf.reverse(x, [1])), -1)),
}  # fmt: skip


def applications() -> Iterator[tuple[str, Any]]:
    """Small versions of public architectures."""
    told: dict[str, Any] = {"weights": None, "input_shape": (32, 32, 3), "classes": 5}
    apps = keras.applications
    parts = importlib.import_module("keras.src.applications")  # what is not public makes smaller ones
    yield "MobileNet", apps.MobileNet(alpha=0.25, **told)
    yield "MobileNetTwo", apps.MobileNetV2(alpha=0.35, **told)
    yield "MobileNetThree", apps.MobileNetV3Small(alpha=0.75, include_preprocessing=True, **told)
    yield "DenseNet", parts.densenet.DenseNet([2, 1, 1, 1], **told)
    stack = parts.resnet.stack_residual_blocks_v1
    yield "ResNet", parts.resnet.ResNet(lambda x: stack(x, 16, 2, 1, "a"), False, True, **told, name="small")
    stack2 = parts.resnet.stack_residual_blocks_v2
    yield "ResNetTwo", parts.resnet.ResNet(lambda x: stack2(x, 16, 2, 2, "b"), True, True, **told, name="small2")
    yield "EfficientNet", parts.efficientnet.EfficientNet(0.25, 0.2, 32, weights=None, input_shape=(32, 32, 3), classes=5, name="small3")


def models(training: bool = False) -> Iterator[tuple[str, tuple[int, ...], Callable[[Any], Any]]]:
    """Each model: name, shape of an image or a sequence without the batch, and its call."""
    tables: tuple[tuple[tuple[int, ...], Any], ...] = ((IMAGE, IMAGES), (SEQUENCE, SEQUENCES))
    for shape, table in tables:
        for name, make in table.items():
            made = keras.Sequential([keras.Input(shape), *make()])
            yield name, shape, lambda x, made=made: made(x, training=training)  # type: ignore[misc]
    for name, (shape, connect) in GRAPHS.items():
        given = keras.Input(shape)
        graph = keras.Model(given, connect(given))
        yield name, shape, lambda x, graph=graph: graph(x, training=training)  # type: ignore[misc]
    for name, (shape, function) in FUNCTIONS.items():
        yield name, shape, function


def tokens() -> Iterator[tuple[str, Callable[[Any], Any]]]:
    """Models of whole numbers."""
    plain = keras.Sequential([kl.Embedding(32, 8), kl.Dense(4, activation="relu"), kl.GlobalAveragePooling1D()])
    masked = keras.Sequential([kl.Embedding(32, 8, mask_zero=True), kl.LSTM(4), kl.Dense(2)])
    yield "KerasEmbedding", lambda x: plain(x, training=False)
    yield "KerasMasked", lambda x: masked(x, training=False)
