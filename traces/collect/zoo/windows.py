"""Chains of calls in real models, cut out with the tensors of a run: model lines (docs/reference/file-formats.md).

A window is a call with its producers, nearest first. A tensor from elsewhere becomes an input, of the class or the range
of its observed elements. Small constants are written out, others become constants of the model.
"""

from __future__ import annotations

import json
import re
from collections import deque
from collections.abc import Iterator
from itertools import chain, islice
from typing import Any

import numpy as np
import onnx
from onnx import defs, helper

from traces.collect.zoo import passes
from traces.collect.zoo.calls import Calls

FIRING = 3
"""Windows kept at least that a pass changes."""
CLASSES = {range(2, 6): 100, range(6, 11): 60, range(11, 21): 30}
"""Further windows kept, by number of calls."""
SIZES = (2, 3, 4, 5, 6, 8, 9, 10, 12, 16, 20)
WRITTEN = 16
"""Maximum elements of a constant that is written out."""
MOST = 8192
"""Maximum elements of a tensor."""
DTYPES = frozenset("bool uint8 int8 int16 int32 int64 float16 float32 float64".split())
Json = Any


class Unfit(Exception):
    """A window that cannot be written."""


def _text(value: Any) -> str:
    if isinstance(value, bytes):
        return repr(value.decode())
    return repr(float(value)) if isinstance(value, float) else str(int(value))


def _constant(value: Any) -> Json:
    if isinstance(value, (list, tuple)):
        return [_constant(item) for item in value]
    return {"const": _text(value)}


def _nested(array: Any) -> Json:
    if array.ndim:
        return [_nested(part) for part in array]
    return {"const": _text(float(array) if array.dtype.kind == "f" else int(array))}


class Window:
    """One window being written."""

    def __init__(self, calls: Calls, nodes: list[onnx.NodeProto]) -> None:
        self._arrays, self._constants, self._nodes = calls.arrays, calls.constants, nodes
        self._ids: dict[str, int] = {}
        self._inputs: list[Json] = []

    def _tensor(self, name: str) -> Json:
        array = self._arrays[name]
        if array.dtype.name not in DTYPES or array.size > MOST or 0 in array.shape:
            raise Unfit
        self._ids[name] = len(self._ids)
        return {"id": self._ids[name], "shape": list(array.shape), "dtype": array.dtype.name}

    def _input(self, name: str) -> None:
        made, array = self._tensor(name), self._arrays[name]
        if array.dtype.kind in "iu":
            made["range"] = [int(array.min()), int(array.max()) + 1]
        elif array.dtype.kind == "f" and array.min() >= 0:
            made["values"] = "unit" if array.min() >= 0.1 and array.max() <= 0.9 else "positive"
        if name in self._constants:
            made["constant"] = True
        self._inputs.append(made)

    def _is_written(self, name: str) -> bool:
        array = self._arrays[name]
        plain = array.dtype.name in DTYPES and array.dtype.name != "float16" and array.size <= WRITTEN
        return name in self._constants and plain and (array.dtype.kind != "f" or bool(np.isfinite(array).all()))

    def _argument(self, name: str) -> Json:
        if not name:
            return {"const": "None"}
        if name in self._ids:
            return {"ref": self._ids[name]}
        return {"elements": _nested(self._arrays[name]), "dtype": self._arrays[name].dtype.name}

    def _call(self, node: onnx.NodeProto) -> Json:
        schema = defs.get_schema(node.op_type)
        args: list[Json] = []
        for place, name in enumerate(node.input):
            formal = schema.inputs[min(place, len(schema.inputs) - 1)]
            if formal.option == defs.OpSchema.FormalParameterOption.Variadic:
                values = [self._argument(other) for other in node.input[place:]]
                args.append({"name": formal.name, "pos": True, "value": values})
                break
            args.append({"name": formal.name, "pos": True, "value": self._argument(name)})
        for attribute in sorted(node.attribute, key=lambda a: a.name):
            value = helper.get_attribute_value(attribute)
            if not isinstance(value, (int, float, bytes, list)) or attribute.name not in schema.attributes:
                raise Unfit
            args.append({"name": attribute.name, "pos": False, "value": _constant(value)})
        if not all(node.output):
            raise Unfit
        if len(node.output) != sum(o.option == defs.OpSchema.FormalParameterOption.Single for o in schema.outputs):
            args.append({"name": "outputs", "pos": False, "value": {"const": str(len(node.output))}})
        api = f"onnx.{node.op_type}"
        return {"op": api, "api": api, "args": args, "outputs": [self._tensor(name) for name in node.output]}

    def line(self) -> Json:
        """The model. Raises Unfit."""
        made = {name for node in self._nodes for name in node.output}
        for name in dict.fromkeys(name for node in self._nodes for name in node.input if name and name not in made):
            if not self._is_written(name):
                self._input(name)
        nodes = [self._call(node) for node in self._nodes]
        taken = {name for node in self._nodes for name in node.input}
        outputs = [self._ids[name] for name in self._ids if name in made and name not in taken]
        if all(t.get("constant") for t in self._inputs) or sum(not t.get("constant") for t in self._inputs) > 3:
            raise Unfit
        return {"model": 1, "framework": "onnx", "seed": 0, "index": 0, "values": 0, "inputs": self._inputs, "nodes": nodes,
                "outputs": outputs}  # fmt: skip


def _before(calls: Calls, end: int, size: int) -> list[onnx.NodeProto]:
    """A call and its producers, nearest first, in file order."""
    maker = {name: i for i, node in enumerate(calls.nodes) for name in node.output}
    found, waiting = [end], deque([end])
    while waiting and len(found) < size:
        for name in calls.nodes[waiting.popleft()].input:
            i = maker.get(name)
            if i is not None and i not in found and len(found) < size:
                found.append(i)
                waiting.append(i)
    return [calls.nodes[i] for i in sorted(found)]


def signature(line: Json) -> str:
    """The structure that equal windows share: calls, edges, and which inputs are constant, but no sizes."""
    given = {t["id"]: "c" if t.get("constant") else "x" for t in line["inputs"]}

    def argument(value: Json) -> str:
        if isinstance(value, list):
            return ",".join(map(argument, value))
        if isinstance(value, dict) and "ref" in value:
            return given.get(value["ref"]) or str(value["ref"] - len(given))
        return "k" if isinstance(value, dict) and "elements" in value else ""

    return ";".join(
        f"{node['api']}({','.join(argument(a['value']) for a in node['args'] if a['pos'])})" for node in line["nodes"])


def features(line: Json) -> set[str]:
    """The features of a window: which call feeds which argument of another, beside which constants, and pairs of these in a
    row."""
    calls = signature(line).split(";")
    fed = [[int(part) for part in re.findall(r"(?<=[(,])\d+", call)] for call in calls]
    edges = {(i, f"{calls[j].split('(')[0]}>{re.sub('[0-9]+', '*', calls[i])}", j) for i, some in enumerate(fed) for j in some
             if j < len(calls)}  # fmt: skip
    rows = {f"{before}>{after}" for i, after, j in edges for k, before, _ in edges if k == j}
    return {edge for _, edge, _ in edges} | rows


class Chains:
    """The windows of all models."""

    def __init__(self) -> None:
        self.lines: dict[str, Json] = {}
        self.seen: dict[str, set[str]] = {}
        self.fired: dict[str, set[str]] = {}
        """The passes that change each."""

    def add(self, architecture: str, calls: Calls) -> None:
        """The windows of one file."""
        for end in range(len(calls.nodes)):
            last: list[onnx.NodeProto] = []
            for size in SIZES:
                nodes = _before(calls, end, size)
                if len(nodes) != size or nodes == last or any(node.domain for node in nodes):
                    break
                last = nodes
                try:
                    line = Window(calls, nodes).line()
                except Unfit:
                    continue
                key = signature(line)
                if key not in self.lines:
                    self.lines[key], self.fired[key] = line, passes.fired(calls, nodes)
                self.seen.setdefault(key, set()).add(architecture)

    def _firing(self) -> list[str]:
        """The shortest that each pass changes, the most frequent first among equal lengths."""
        order = sorted(self.lines, key=lambda key: (len(self.lines[key]["nodes"]), -len(self.seen[key]), key))
        kept: list[str] = []
        for name in sorted(set().union(*self.fired.values())):
            wanted = FIRING - sum(name in self.fired[key] for key in kept)
            kept += [key for key in order if name in self.fired[key] and key not in kept][: max(wanted, 0)]
        return kept

    def _telling(self, sizes: range, kept: list[str]) -> Iterator[str]:
        """Those of some lengths with most features that the kept ones lack."""
        left = {key: features(line) for key, line in sorted(self.lines.items()) if len(line["nodes"]) in sizes}
        known: set[str] = set().union(*(left.pop(key) for key in kept if key in left))
        while left := {key: found - known for key, found in left.items() if found - known}:
            best = max(left, key=lambda key: (len(left[key]), len(self.seen[key])))
            known |= left.pop(best)
            yield best

    def best(self) -> Iterator[str]:
        """Windows that passes change, then short, medium and long ones with most features; one line each."""
        firing = self._firing()
        telling = (islice(self._telling(sizes, firing), most) for sizes, most in CLASSES.items())
        for key in chain(firing, *telling):
            yield json.dumps({"count": len(self.seen[key]), **self.lines[key]}, separators=(",", ":"))
