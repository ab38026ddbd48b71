"""The passes of onnxruntime's optimizer that change a window or a file, from its log."""

from __future__ import annotations

from typing import Any

import onnx
from onnx import helper, numpy_helper

from rulefuzz.passes.onnxruntime import logged
from traces.collect.zoo.calls import Calls


def _model(calls: Calls, nodes: list[onnx.NodeProto], symbolic: bool) -> onnx.ModelProto:
    """The calls as a file: tensors that no call reads are outputs."""
    made = dict.fromkeys(name for node in nodes for name in node.output)
    taken = dict.fromkeys(name for node in nodes for name in node.input if name)
    fixed = calls.constants | calls.shaped

    def told(name: str, free: bool) -> onnx.ValueInfoProto:
        array = calls.arrays[name]
        shape: list[Any] = [f"{name}_{d}" for d in range(array.ndim)] if free else list(array.shape)
        return helper.make_tensor_value_info(name, helper.np_dtype_to_tensor_dtype(array.dtype), shape)

    given = [name for name in taken if name not in made]
    constants = [numpy_helper.from_array(calls.arrays[name], name) for name in given if name in fixed]
    fed = [told(name, symbolic) for name in given if name not in fixed]
    results = [told(name, symbolic) for name in made if name not in taken]
    graph = helper.make_graph(nodes, "calls", fed, results, constants)
    sets = [helper.make_opsetid("", calls.opset)]
    return helper.make_model(graph, opset_imports=sets, ir_version=max(8, helper.find_min_ir_version_for(sets)))


def of_file(model: onnx.ModelProto) -> dict[str, bool]:
    """The passes that the log names, and whether each changed the file; none if it breaks."""
    heard, made = logged(model.SerializeToString(), "ENABLE_ALL")
    return {name: (name, True) in heard for name, _ in heard} if made else {}


def changing(model: onnx.ModelProto) -> set[str]:
    """The passes that change a file."""
    return {name for name, changed in of_file(model).items() if changed}


def fired(calls: Calls, nodes: list[onnx.NodeProto]) -> set[str]:
    """The passes that change the calls, with fixed or symbolic sizes."""
    ways = [False] + [True] * any(name in calls.shaped for node in nodes for name in node.output)
    return set().union(*(changing(_model(calls, nodes, symbolic)) for symbolic in ways))
