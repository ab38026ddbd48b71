"""Models as ONNX files: from both of torch's exporters, in current and older operator sets, and quantized."""

from __future__ import annotations

import contextlib
import logging
import tempfile
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import onnx
import torch
from onnx import version_converter
from onnxruntime import quantization

from traces.collect.zoo.architectures import Made

OPSET, OLD = 20, 13
"""Operator sets to export to; and sets to export to without newer functions, followed by a conversion."""
QUANTISED = ("Bert", "ConvNext", "GPTNeo", "MobileNetV2", "ResNet", "ResNetForImageClassification", "Segformer", "ViT")
TWICE = ("ResNetForImageClassification",)
"""Quantized by one tool and then by another."""
NARROW = ("Bert", "ResNet", "T5Encoder")
"""Also exported in half precision."""


class Inputs(quantization.CalibrationDataReader):  # type: ignore[misc]
    """The calibration data of a model."""

    def __init__(self, fed: dict[str, Any]) -> None:
        self._left = [fed]

    def get_next(self) -> dict[str, Any] | None:
        """The next batch; None at the end."""
        return self._left.pop() if self._left else None


def _export(made: Made, path: Path, opset: int, dynamo: bool) -> None:
    module, inputs = made
    with torch.no_grad():
        if dynamo:
            torch.onnx.export(module, inputs, path, dynamo=True, opset_version=opset, verbose=False, external_data=False)
        else:
            torch.onnx.export(module, inputs, path, dynamo=False, opset_version=opset)


def fed(model: onnx.ModelProto, made: Made) -> dict[str, Any]:
    """The inputs that the exporter kept, by name."""
    return dict(zip([info.name for info in model.graph.input], [t.numpy() for t in made[1]], strict=False))


def _rename(path: Path) -> None:
    """Renames all results of calls: a quantizer appends to existing names, and may collide with its own."""
    model = onnx.load(path)
    made = dict.fromkeys(name for node in model.graph.node for name in node.output)
    new = {name: f"made{i}" for i, name in enumerate(made)}
    for i, node in enumerate(model.graph.node):
        node.name = f"call{i}"
        node.input[:] = [new.get(name, name) for name in node.input]
        node.output[:] = [new[name] for name in node.output]
    for info in model.graph.output:
        info.name = new[info.name]
    del model.graph.value_info[:]
    onnx.save(model, path)


def _quantised(plain: Path, to: Path, inputs: dict[str, Any]) -> Iterator[tuple[str, Path]]:
    types = {"qdq": quantization.QuantFormat.QDQ, "qoperator": quantization.QuantFormat.QOperator}
    for name, kind in types.items():
        path = to / f"{name}.onnx"
        with contextlib.suppress(Exception):
            quantization.quantize_static(str(plain), str(path), Inputs(inputs), quant_format=kind)
            yield name, path
    with contextlib.suppress(Exception):
        quantization.quantize_dynamic(str(plain), str(to / "dynamic.onnx"))
        yield "dynamic", to / "dynamic.onnx"


def files(name: str, make: Callable[[], Made]) -> Iterator[tuple[str, onnx.ModelProto, dict[str, Any]]]:
    """The files of a model: origin, file, and inputs. Failing exports are skipped."""
    warnings.simplefilter("ignore")
    logging.disable(logging.WARNING)
    with tempfile.TemporaryDirectory() as folder:
        found: list[tuple[str, Path]] = []
        for how, opset, dynamo in (("dynamo", OPSET, True), ("script", OPSET, False), ("old", OLD, False)):
            path = Path(folder, f"{how}.onnx")
            with contextlib.suppress(Exception):
                _export(make(), path, opset, dynamo)
                if how == "old":
                    onnx.save(version_converter.convert_version(onnx.load(path), OPSET), path)
                found.append((how, path))
        if name in NARROW and found:
            made, path = make(), Path(folder, "half.onnx")
            inputs = tuple(t.half() if t.is_floating_point() else t for t in made[1])
            with contextlib.suppress(Exception):
                _export((made[0].half(), inputs), path, OPSET, False)
                found.append(("half", path))
        if name in QUANTISED and found:
            found += _quantised(found[0][1], Path(folder), fed(onnx.load(found[0][1]), make()))
        if name in TWICE:
            first, path = dict(found)["qdq"], Path(folder, "twice.onnx")
            _rename(first)
            quantization.quantize_static(str(first), str(path), Inputs(fed(onnx.load(first), make())))
            found.append(("twice", path))
        for how, path in found:
            model, made = onnx.load(path), make()
            inputs_of = fed(model, made)
            if how == "half":
                inputs_of = {n: a.astype("float16") if a.dtype == "float32" else a for n, a in inputs_of.items()}
            yield how, model, inputs_of
