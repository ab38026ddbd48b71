"""Runs ONNX models by onnxruntime without optimisation: see eager.py. Needs the source tree.

A node is run by onnx's reference evaluator where onnxruntime has no kernel. All others that follow one another and have an
operator set in common are one model with one session, every tensor of it an output; when it fails, its nodes run one by one.
As when records are collected, onnx's own inference must accept the call, too, and not contradict the result.
"""

from __future__ import annotations

import contextlib
import ctypes
import functools
import re
import sys
from collections import Counter
from collections.abc import Sequence
from typing import Any

import eager
import numpy as np

sys.path.insert(1, eager.ROOT)

import onnx  # noqa: E402
import onnx.reference.ops._op_list  # noqa: E402  here, so that not every child does it
import onnxruntime  # noqa: E402
from onnx import helper, numpy_helper  # noqa: E402

from traces.collect.frameworks.onnx import adapter as oracle  # noqa: E402
from traces.collect.judge.framework import Rejected  # noqa: E402

LONGEST = 300
"""Nodes of one session."""
NODE_NAME = re.compile(r"node with name 'n(\d+)'")


@functools.lru_cache(1 << 12)
def _numpy(dtype: str) -> Any:
    return np.dtype(object) if dtype == "string" else np.dtype(helper.tensor_dtype_to_np_dtype(oracle.element_type(dtype)))


class Operator:
    """An API: its schema and the operator sets in which that is in force."""

    def __init__(self, api: str, schemas: dict[str, list[Any]]) -> None:
        self.schema, self.newest = oracle.schema_and_opset(api, schemas)
        self.oldest = self.schema.since_version
        self.beyond = self.newest > oracle.OPSET
        """Whether onnxruntime does not know the operator set yet."""


class OnnxEager:
    """See eager.Framework."""

    name = "onnx"

    def __init__(self) -> None:
        self._schemas = oracle.history()
        self._operators: dict[str, Operator] = {}
        self._without: set[tuple[str, tuple[str, ...]]] = set()
        """Calls by API and dtypes that onnxruntime has no kernel for."""
        self._notes: Counter[str] = Counter()
        self._options: Any = None

    def enter(self) -> None:
        """See eager.Framework."""
        self._options = oracle.session_options()
        onnxruntime.set_default_logger_severity(4)

    def tensor(self, array: np.ndarray, dtype: str) -> Any:
        """See eager.Framework."""
        return array.astype(_numpy(dtype))

    def _operator(self, api: str) -> Operator:
        if api not in self._operators:
            self._operators[api] = Operator(api, self._schemas)
        return self._operators[api]

    def span(self, nodes: Sequence[Any], start: int, dtypes: dict[int, str]) -> int:
        """See eager.Framework."""
        oldest, newest = 0, oracle.OPSET
        for i, node in enumerate(nodes[start : start + LONGEST]):
            operator = self._operator(node["api"])
            oldest, newest = max(oldest, operator.oldest), min(newest, operator.newest)
            kernel = (node["api"], tuple(dtypes[ref] for ref in eager.node_refs(node)))
            if operator.beyond or oldest > newest or kernel in self._without:
                return max(i, 1)
        return min(len(nodes) - start, LONGEST)

    # ---- building

    def _node(self, number: int, node: Any, constants: list[onnx.TensorProto]) -> onnx.NodeProto:
        operator = self._operator(node["api"])
        made = onnx.NodeProto(op_type=operator.schema.name, name=f"n{number}")
        for arg in node["args"]:
            value = arg["value"]
            if arg["pos"]:
                for item in value if isinstance(value, list) else [value]:
                    made.input.append(self._input(item, constants))
            elif arg["name"] == oracle.OUTPUTS:
                continue
            elif arg["name"] in operator.schema.attributes:
                kind = operator.schema.attributes[arg["name"]].type
                made.attribute.append(oracle.attribute(arg["name"], kind, _number(value)))
            else:
                raise Rejected(f"onnx: no attribute {arg['name']}")
        made.output.extend(f"t{out['id']}" for out in node["outputs"])
        return made

    def _input(self, item: Any, constants: list[onnx.TensorProto]) -> str:
        if isinstance(item, dict) and "ref" in item:
            return f"t{item['ref']}"
        if isinstance(item, dict) and "const" in item:
            return ""
        name = f"c{len(constants)}"
        array = np.array(_number(item["elements"]), _numpy(item["dtype"]))
        constants.append(numpy_helper.from_array(array, name))
        return name

    def _model(self, nodes: Sequence[Any], values: eager.Values) -> tuple[onnx.ModelProto, list[int]]:
        """The model of some nodes, and the tensors that it takes."""
        constants: list[onnx.TensorProto] = []
        graph = onnx.GraphProto(name="g", node=[self._node(i, node, constants) for i, node in enumerate(nodes)])
        graph.initializer.extend(constants)
        made = {out["id"] for node in nodes for out in node["outputs"]}
        taken = list(dict.fromkeys(ref for node in nodes for ref in eager.node_refs(node) if ref not in made))
        for ref in taken:
            shape, dtype = self.describe(values[ref])
            graph.input.append(helper.make_tensor_value_info(f"t{ref}", oracle.element_type(dtype), shape))
        for node in nodes:
            graph.output.extend(onnx.ValueInfoProto(name=f"t{out['id']}") for out in node["outputs"])
        opset = min(self._operator(node["api"]).newest for node in nodes)
        version = oracle.IR_VERSION if opset <= oracle.OPSET else 13
        imported = [onnx.OperatorSetIdProto(domain="", version=opset)]
        return onnx.ModelProto(ir_version=version, graph=graph, opset_import=imported), taken

    # ---- running

    def run(self, nodes: Sequence[Any], values: eager.Values) -> list[list[Any]]:
        """See eager.Framework."""
        model, taken = self._model(nodes, values)
        names = [output.name for output in model.graph.output]
        serialised = model.SerializeToString()
        inferred = oracle.inferred_outputs(oracle.infer(serialised))
        kernels = [(n["api"], tuple(self.describe(values[r])[1] if r in values else "" for r in eager.node_refs(n))) for n in nodes]
        if len(nodes) == 1 and (kernels[0] in self._without or self._operator(nodes[0]["api"]).beyond):
            found = self._by_reference(model, taken, names, values)
            self._notes[f"{nodes[0]['api']} by reference"] += 1
        else:
            try:
                found = self._by_runtime(serialised, taken, names, values)
            except oracle.NoKernel as error:
                self._remember(nodes, kernels, values, str(error))
                if len(nodes) > 1:
                    raise
                return self.run(nodes, values)
        for (dims, _), tensor in zip(inferred, found, strict=True):
            if oracle.contradicts(dims, self.describe(tensor)[0]):
                raise eager.Mismatch("shape", f"shape {list(self.describe(tensor)[0])}, but onnx infers {dims}")
        left = iter(found)
        return [[next(left) for _ in node["outputs"]] for node in nodes]

    def _remember(self, nodes: Sequence[Any], kernels: list[Any], values: eager.Values, message: str) -> None:
        """Notes the node without a kernel, so that it is run by the reference evaluator from now on."""
        match = NODE_NAME.search(message)
        if len(nodes) == 1:
            self._without.add(kernels[0])
        elif match:
            dtypes = {out["id"]: out["dtype"] for node in nodes for out in node["outputs"]}
            node = nodes[int(match[1])]
            refs = eager.node_refs(node)
            self._without.add((node["api"], tuple(dtypes.get(r) or self.describe(values[r])[1] for r in refs)))

    def _by_runtime(self, serialised: bytes, taken: list[int], names: list[str], values: eager.Values) -> list[Any]:
        try:
            session = onnxruntime.InferenceSession(serialised, self._options, providers=["CPUExecutionProvider"])
            if any(self.describe(values[ref])[1] == "string" for ref in taken):
                return list(session.run(names, {f"t{ref}": _array(values[ref]) for ref in taken}))
            fed = {}
            for ref in taken:
                if isinstance(values[ref], np.ndarray):
                    values[ref] = oracle.ort_value(values[ref], self.describe(values[ref])[1])
                fed[f"t{ref}"] = values[ref]
            return list(session.run_with_ort_values(names, fed))
        except Exception as error:
            raise oracle.refusal(error) from error

    def _by_reference(self, model: Any, taken: list[int], names: list[str], values: eager.Values) -> list[Any]:
        evaluator = oracle.ReferenceEvaluator(model)
        with np.errstate(all="ignore"):
            found = evaluator.run(names, {f"t{ref}": _array(values[ref]).copy() for ref in taken})
        return [np.asarray(array) for array in found]

    # ---- looking

    def describe(self, tensor: Any) -> tuple[tuple[int, ...], str]:
        """See eager.Framework."""
        if isinstance(tensor, np.ndarray):
            return tensor.shape, _dtype_name(tensor.dtype)
        return tuple(tensor.shape()), _type_name(tensor.data_type())

    def finite(self, tensor: Any) -> bool:
        """See eager.Framework."""
        dtype = self.describe(tensor)[1]
        return bool(np.isfinite(_array(tensor)).all()) if "float" in dtype or "complex" in dtype else True

    def extent(self, tensor: Any) -> tuple[bool, Any, Any]:
        """See eager.Framework."""
        return (True, None, None) if self.describe(tensor)[1] == "string" else eager.extent(_array(tensor))

    def plain(self, tensor: Any) -> Any:
        """See eager.Framework."""
        return tensor

    def notes(self) -> dict[str, int]:
        """See eager.Framework."""
        found, self._notes = dict(self._notes), Counter()
        return found


@functools.lru_cache(256)
def _dtype_name(dtype: np.dtype) -> str:
    if dtype.kind in "OUS":
        return "string"
    return oracle.dtype_of_element_type(helper.np_dtype_to_tensor_dtype(dtype))


@functools.lru_cache(256)
def _type_name(text: str) -> str:
    return oracle.dtype_name(text) or text


def _array(tensor: Any) -> np.ndarray:
    """The elements, also of a dtype that numpy has not."""
    if isinstance(tensor, np.ndarray):
        return tensor
    with contextlib.suppress(RuntimeError):
        return tensor.numpy()
    dtype = _numpy(_type_name(tensor.data_type()))
    shape = tuple(tensor.shape())
    size = int(np.prod(shape)) * dtype.itemsize
    held = ctypes.string_at(tensor.data_ptr(), size) if size else b""
    return np.frombuffer(held, dtype).reshape(shape)


def _number(value: Any) -> Any:
    if isinstance(value, list):
        return [_number(item) for item in value]
    return value if isinstance(value, int) else oracle.constant(value["const"])


if __name__ == "__main__":
    sys.exit(eager.main(OnnxEager()))
