"""TensorFlow with the switches of record collection, and the values of constants. Import it before TensorFlow."""

from __future__ import annotations

import ast
import functools
import os
from typing import Any

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
os.environ.setdefault("TF_ENABLE_ONEDNN_OPTS", "0")
os.environ.setdefault("CUDA_VISIBLE_DEVICES", "-1")

import tensorflow as tf

__all__ = ["QUANTIZED", "constant", "tf"]

QUANTIZED = {"qint8": "int8", "quint8": "uint8", "qint16": "int16", "quint16": "uint16", "qint32": "int32"}
"""Dtypes that numpy lacks, and those with the same bits."""


@functools.lru_cache(4096)
def constant(text: str) -> Any:
    """The value of a constant's text: a Python literal, inf, nan, or a dtype."""
    if text.startswith("tf."):
        return getattr(tf, text[3:])
    if text.lstrip("-") in ("inf", "nan"):
        return float(text)
    return ast.literal_eval(text)
