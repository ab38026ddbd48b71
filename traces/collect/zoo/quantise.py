"""Files quantized by onnxruntime's tools."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import onnx
from onnxruntime import quantization

from traces.collect.zoo import store

QUANTISED = ("Bert", "ConvNext", "GPTNeo", "MobileNetV2", "ResNet", "ResNetForImageClassification", "Segformer", "ViT")
TWICE = ("ResNetForImageClassification",)
"""Quantized by one tool and then by another."""
NARROW, WIDE, BYTE = quantization.QuantType.QInt8, quantization.QuantType.QInt16, quantization.QuantType.QUInt8
QDQ, OPERATORS = quantization.QuantFormat.QDQ, quantization.QuantFormat.QOperator
STATIC: dict[str, dict[str, Any]] = {
    "qdq": {"quant_format": QDQ},
    "qoperator": {"quant_format": OPERATORS},
    "channel": {"quant_format": QDQ, "per_channel": True, "activation_type": BYTE, "weight_type": NARROW},
    "byte": {"quant_format": QDQ, "activation_type": BYTE, "weight_type": BYTE, "extra_options": {"DedicatedQDQPair": True}},
    "pairs": {"quant_format": QDQ, "activation_type": NARROW, "weight_type": NARROW,
              "extra_options": {"AddQDQPairToWeight": True, "ActivationSymmetric": True, "QDQKeepRemovableActivations": True}},
    "bytes": {"quant_format": OPERATORS, "per_channel": True, "activation_type": BYTE, "weight_type": NARROW},
    "wide": {"quant_format": QDQ, "activation_type": WIDE, "weight_type": NARROW},
}  # fmt: skip
"""Settings of static quantization."""
FROM = {"wide": ("dynamo23",)}
"""The exports to quantize, first one first, if not the usual ones: 16 bits need operator set 21."""
USUAL = ("script13", "script17", "dynamo18")
RECORDED = ("qdq", "qoperator")


class Inputs(quantization.CalibrationDataReader):  # type: ignore[misc]
    """The calibration data of a model."""

    def __init__(self, fed: dict[str, Any]) -> None:
        self._left = [fed]

    def get_next(self) -> dict[str, Any] | None:
        """The next batch; None at the end."""
        return self._left.pop() if self._left else None


def _rename(path: Path, to: Path) -> None:
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
    onnx.save(model, to)


def _make(plain: store.Stored, how: str, write: Callable[[str, str, dict[str, Any]], None]) -> None:
    path = store.path_of(plain.path.parent, plain.model, how)
    if path.exists():
        return
    with store.skipping(path):
        _, fed = plain.load()
        write(str(plain.path), str(path), fed)
        store.save_inputs(path, fed)


def _static(plain: store.Stored, how: str) -> None:
    _make(plain, how, lambda a, b, fed: quantization.quantize_static(a, b, Inputs(fed), **STATIC[how]))


def _dynamic(plain: store.Stored, how: str, **told: Any) -> None:
    _make(plain, how, lambda a, b, _: quantization.quantize_dynamic(a, b, **told))


def _blocks(plain: store.Stored, how: str, **told: Any) -> None:
    from onnxruntime.quantization.matmul_nbits_quantizer import MatMulNBitsQuantizer

    def write(a: str, b: str, _: Any) -> None:
        tool = MatMulNBitsQuantizer(onnx.load(a), **told)
        tool.process()
        tool.model.save_model_to_file(b)

    _make(plain, how, write)


def _exports(folder: Path, model: str, ways: tuple[str, ...]) -> store.Stored | None:
    paths = (store.path_of(folder, model, way) for way in ways)
    return next((store.Stored(path) for path in paths if path.exists()), None)


def recorded(folder: Path, model: str) -> None:
    """The quantized files of an architecture."""
    plain = _exports(folder, model, ("dynamo", "script", "old"))
    if not plain:
        return
    if model in QUANTISED:
        for how in RECORDED:
            _static(plain, how)
        _dynamic(plain, "dynamic")
    if model in TWICE:
        renamed, path = folder / "renamed.onnx", store.path_of(folder, model, "twice")
        with store.skipping(path):
            _rename(store.path_of(folder, model, "qdq"), renamed)
            _, fed = plain.load()
            quantization.quantize_static(str(renamed), str(path), Inputs(fed))
            store.save_inputs(path, fed)
        renamed.unlink(missing_ok=True)
    if model in QUANTISED:
        layer(folder, model)


def layer(folder: Path, model: str) -> None:
    """A layer with all settings."""
    plain = _exports(folder, model, USUAL)
    for how in STATIC:
        source = _exports(folder, model, FROM[how]) if how in FROM else plain
        if source and any(node.op_type in ("Conv", "MatMul", "Gemm", "Add", "Mul") for node in source.load()[0].graph.node):
            _static(source, how)
    if plain and any(node.op_type in ("MatMul", "Gemm") for node in plain.load()[0].graph.node):
        _dynamic(plain, "dynamic")
        _dynamic(plain, "dynamicbytes", weight_type=BYTE, per_channel=True)
        newer = _exports(folder, model, ("dynamo23",))
        if newer:
            _blocks(newer, "blocks", block_size=16, quant_format=QDQ)
