"""The passes of onnxruntime's optimizer that change a chain of calls, from its log."""

from __future__ import annotations

import os
import re
import sys
import tempfile

import onnx
import onnxruntime
from onnx import defs, helper, numpy_helper

from traces.collect.zoo.calls import Calls
from traces.collect.zoo.files import OPSET

CHANGED = re.compile(r"GraphTransformer (\w+) modified: 1 ")
INFO = 1


def _model(calls: Calls, nodes: list[onnx.NodeProto]) -> onnx.ModelProto:
    """The calls as a file: tensors that no call reads are outputs."""
    made = dict.fromkeys(name for node in nodes for name in node.output)
    taken = dict.fromkeys(name for node in nodes for name in node.input if name)

    def told(name: str) -> onnx.ValueInfoProto:
        array = calls.arrays[name]
        return helper.make_tensor_value_info(name, helper.np_dtype_to_tensor_dtype(array.dtype), array.shape)

    given = [name for name in taken if name not in made]
    constants = [numpy_helper.from_array(calls.arrays[name], name) for name in given if name in calls.constants]
    fed = [told(name) for name in given if name not in calls.constants]
    graph = helper.make_graph(nodes, "calls", fed, [told(name) for name in made if name not in taken], constants)
    oldest = max(defs.get_schema(node.op_type, OPSET).since_version for node in nodes)  # like rulefuzz's files
    sets = [helper.make_opsetid("", oldest)]
    return helper.make_model(graph, opset_imports=sets, ir_version=helper.find_min_ir_version_for(sets))


def _heard(model: onnx.ModelProto) -> str:
    """onnxruntime's log, which it writes to standard error while it creates a session."""
    options = onnxruntime.SessionOptions()
    options.log_severity_level = INFO
    options.intra_op_num_threads = 1
    sys.stderr.flush()
    before = os.dup(2)
    with tempfile.TemporaryFile() as log:
        os.dup2(log.fileno(), 2)
        try:
            onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])
        finally:
            os.dup2(before, 2)
            os.close(before)
        log.seek(0)
        return log.read().decode(errors="replace")


def fired(calls: Calls, nodes: list[onnx.NodeProto]) -> set[str]:
    """The passes that change the calls; none if one of them breaks a file that is right without them."""
    model = _model(calls, nodes)
    try:
        return set(CHANGED.findall(_heard(model)))
    except Exception:
        plain = onnxruntime.SessionOptions()
        plain.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
        onnxruntime.InferenceSession(model.SerializeToString(), plain, providers=["CPUExecutionProvider"])
        return set()
