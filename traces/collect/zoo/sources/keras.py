"""The models of keras_models.py as ONNX files by tf2onnx.

python -m traces.collect.zoo.sources.keras FOLDER    (in the environment that traces/backends.sh zoo-tf makes)
"""

from __future__ import annotations

import logging
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")

import keras
import numpy as np
import onnx
import tensorflow as tf
import tf2onnx

from traces.collect.zoo import store
from traces.collect.zoo.sources.keras_models import applications, models, tokens

OPSETS = (9, 11, 13, 15, 18)


def _convert(folder: Path, name: str, call: Callable[[Any], Any], given: Any, opset: int) -> None:
    free = opset in (11, 15)
    path = store.path_of(folder, name, f"tf{opset}")
    if path.exists():
        return
    spec = tf.TensorSpec((None if free else given.shape[0], *given.shape[1:]), given.dtype, name="input0")
    with store.skipping(path):
        model, _ = tf2onnx.convert.from_function(tf.function(call, input_signature=[spec]), input_signature=[spec], opset=opset)
        onnx.checker.check_model(model)  # tf2onnx leaves TensorFlow's operators that it cannot convert
        onnx.save(model, path)
        store.save_inputs(path, {"input0": given})


def main() -> None:
    """The program."""
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    logging.disable(logging.ERROR)
    keras.utils.set_random_seed(0)
    drawn = np.random.default_rng(0)
    for name, shape, call in models():
        given = drawn.standard_normal((2, *shape)).astype(np.float32)
        for opset in OPSETS:
            _convert(folder, name, call, given, opset)
    for name, call in tokens():
        for opset in OPSETS:
            _convert(folder, name, call, drawn.integers(0, 32, (2, 5)).astype(np.int32), opset)
    try:
        for name, made in applications():
            given = drawn.standard_normal((1, 32, 32, 3)).astype(np.float32)
            for opset in (13, 18):
                _convert(folder, f"Keras{name}", lambda x, made=made: made(x, training=False), given, opset)  # type: ignore[misc]
    except Exception as error:
        print(f"applications: {error}", file=sys.stderr)


if __name__ == "__main__":
    main()
