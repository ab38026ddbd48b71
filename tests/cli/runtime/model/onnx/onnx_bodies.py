"""Compares functions and subgraphs of ONNX files written by C with the package's for the same models.

usage: onnx_bodies.py FOLDER, with NAME.json and NAME.onnx of each model. Prints a line for each difference and the
number of bodies of each kind, form, and pair of kinds within each other. Exit code 1 if a file differs or one is missing.
"""

from __future__ import annotations

import collections
import json
import sys
from pathlib import Path
from typing import Any

import onnx
from onnx import numpy_helper

from rulefuzz import framework
from rulefuzz.bodies import onnx as onnx_bodies
from rulefuzz.bodies.body import CONSTANTS, FORMS, parents
from rulefuzz.model import Model, Reader


def plain(tensor: Any) -> None:
    """Removes a comment, and has elements in one encoding."""
    tensor.CopyFrom(numpy_helper.from_array(numpy_helper.to_array(tensor), tensor.name))


def bared(graph: Any) -> Any:
    """Removes names and comments, which may differ, also inside subgraphs."""
    for tensor in graph.initializer if isinstance(graph, onnx.GraphProto) else ():
        plain(tensor)
    for node in graph.node:
        node.ClearField("doc_string")
        node.ClearField("name")
        for attribute in node.attribute:
            if attribute.type == onnx.AttributeProto.TENSOR and attribute.HasField("t"):
                plain(attribute.t)
            if attribute.type == onnx.AttributeProto.GRAPH:
                bared(attribute.g)
    return graph


def said(model: Any) -> Any:
    """Nodes, functions, and the constants that only bodies use."""
    for function in model.functions:
        del function.opset_import[:]
        bared(function)
    constants = sorted(t.name for t in model.graph.initializer if t.name[0] not in "ct")
    return list(bared(model.graph).node), list(model.functions), constants


def by_package(adapter: Any, model: Model) -> Any:
    """The model as the Python adapter gives it to a target."""
    made = adapter._model(model.nodes, {t.id: (t.shape, t.dtype) for t in model.inputs}, model.outputs)
    for i, array in adapter.constants(model).items():
        made.graph.initializer.append(numpy_helper.from_array(array, f"t{i}"))
    return onnx_bodies.folded(model, made)


def main() -> int:
    """See the module."""
    adapter = framework.load("onnx")
    reader, kinds, bad = Reader(adapter), collections.Counter[str](), 0
    for path in sorted(Path(sys.argv[1]).glob("*.json")):
        model = reader.model(json.loads(path.read_text()))
        kinds.update(f"{body.kind} {body.constants}".strip() for body in model.bodies)
        kinds.update(f"{body.kind} {body.form}" for body in model.bodies if body.form)
        outer = zip(model.bodies, parents(model.bodies), strict=True)
        kinds.update(f"{model.bodies[k].kind} > {body.kind}" for body, k in outer if k >= 0)
        if said(onnx.load(path.with_suffix(".onnx"))) != said(by_package(adapter, model)):
            print(f"{path.name}: not the same")
            bad += 1
    print(f"{dict(kinds)}, {bad} not the same")
    forms, subgraphs = sum(map(len, FORMS.values())), len(FORMS)
    return 1 if bad or len(kinds) < 1 + subgraphs * len(CONSTANTS) + forms + subgraphs**2 else 0


if __name__ == "__main__":
    sys.exit(main())
