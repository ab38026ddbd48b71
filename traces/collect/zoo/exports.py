"""Modules of PyTorch as ONNX files: from both of torch's exporters, in several operator sets, with fixed and symbolic sizes."""

from __future__ import annotations

import logging
import sys
import warnings
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import onnx
import torch
from onnx import version_converter

from traces.collect.zoo import quantise, store
from traces.collect.zoo.modules import architectures, blocks, layers

OPSET, OLD = 20, 13
"""Operator sets to export to; and sets to export to without newer functions, followed by a conversion."""
NARROW = ("Bert", "ResNet", "T5Encoder")
"""Also exported in half precision."""
Make = Callable[[], layers.Made]


@dataclass(frozen=True)
class Way:
    """How to export."""

    name: str
    opset: int
    dynamo: bool = False
    symbolic: bool = False


RECORDED = (Way("dynamo", OPSET, dynamo=True), Way("script", OPSET), Way("old", OLD))
"""The files of an architecture whose calls WEIGHTS.tsv counts."""
FURTHER = (Way("script9", 9), Way("script11", 11), Way("script13", 13, symbolic=True), Way("script17", 17, symbolic=True))
LAYERS = (Way("script9", 9), Way("script11", 11, symbolic=True), Way("script13", 13), Way("script17", 17, symbolic=True),
          Way("script20", 20))  # fmt: skip
DYNAMO = (Way("dynamo18", 18, dynamo=True, symbolic=True), Way("dynamo23", 23, dynamo=True))
"""The newer exporter needs seconds per module: a module gets one of these."""
DIMENSIONS = {2: (0, 1), 3: (0, 1), 4: (0, 2, 3)}
"""Symbolic dimensions by rank: batch and sequence, or batch, height and width."""


def export(made: layers.Made, path: Path, way: Way) -> None:
    """Writes a file with its inputs."""
    module, inputs = made
    names = [f"input{i}" for i in range(len(inputs))]
    free = [DIMENSIONS.get(t.ndim, ()) if way.symbolic else () for t in inputs]
    told: dict[str, Any] = {"dynamo": way.dynamo, "opset_version": way.opset, "input_names": names}
    if way.dynamo:
        told |= {"verbose": False, "external_data": False}
        if way.symbolic:
            told["dynamic_shapes"] = (tuple(dict.fromkeys(dims, torch.export.Dim.AUTO) for dims in free),)
    elif way.symbolic:
        told["dynamic_axes"] = {name: {d: f"{name}_{d}" for d in dims} for name, dims in zip(names, free, strict=True)}
    with torch.no_grad():
        torch.onnx.export(module, inputs, path, **told)
    if way.name == "old":
        onnx.save(version_converter.convert_version(onnx.load(path), OPSET), path)
    kept = {info.name for info in onnx.load(path).graph.input}
    store.save_inputs(path, {name: t.numpy() for name, t in zip(names, inputs, strict=True) if name in kept})


def _half(make: Make, path: Path) -> None:
    module, inputs = make()
    export((module.half(), tuple(t.half() if t.is_floating_point() else t for t in inputs)), path, Way("half", OPSET))


def _try(make: Make, folder: Path, model: str, way: Way) -> None:
    path = store.path_of(folder, model, way.name)
    if path.exists():
        return
    with store.skipping(path):
        export(make(), path, way)


def _architecture(folder: Path, model: str) -> None:
    for way in RECORDED + FURTHER:
        _try(lambda: architectures.made(model), folder, model, way)
    if model in NARROW:
        path = store.path_of(folder, model, "half")
        with store.skipping(path):
            _half(lambda: architectures.made(model), path)
    quantise.recorded(folder, model)


def _layer(folder: Path, model: str, made: layers.Made, newer: bool) -> None:
    made[0].eval()
    ways = LAYERS + ((DYNAMO[zlib.crc32(model.encode()) % len(DYNAMO)],) if newer else ())
    for way in ways:
        _try(lambda: made, folder, model, way)
    path = store.path_of(folder, model, "half")
    if zlib.crc32(model.encode()) % 4 == 0 and not path.exists():
        with store.skipping(path):
            _half(lambda: made, path)
        made[0].float()


def export_all(folder: Path) -> None:
    """All modules. Files that are there already are kept."""
    warnings.simplefilter("ignore")
    logging.disable(logging.WARNING)
    torch.manual_seed(0)
    for model, made in layers.norms():
        _layer(folder, model, made, zlib.crc32(model.encode()) % 8 == 0)
    for source in (layers.pointwise, blocks.vision, blocks.sequences):
        for model, made in source():
            print(model, file=sys.stderr)
            _layer(folder, model, made, True)
            quantise.layer(folder, model)
    for model in architectures.names():
        print(model, file=sys.stderr)
        _architecture(folder, model)
