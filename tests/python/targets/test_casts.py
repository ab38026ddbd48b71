"""Casts that a target must carry out: a removed pair of casts is a bug, not rounding. Needs onnx."""

from __future__ import annotations

import types
import unittest
import unittest.mock
from collections.abc import Callable
from typing import Any

try:
    import numpy as np
    import onnx

    from rulefuzz import framework, targets
    from rulefuzz.frameworks import onnx as onnx_adapter
    from rulefuzz.frameworks import onnx_evaluate as evaluate
    from rulefuzz.model import Json, Reader
    from rulefuzz.oracle.check import Check, Clock
    from rulefuzz.targets import Target

    ONNX: Any = framework.load("onnx")
    ONNX.enter()
    targets.load("onnxruntime-none").prepare()
except ImportError as missing:
    raise unittest.SkipTest(str(missing)) from None

SHAPE = [2048]


def tensor(i: int, dtype: str) -> Json:
    return {"id": i, "shape": SHAPE, "dtype": dtype}


def cast(made: int, taken: int, dtype: str) -> Json:
    to = str(evaluate.element_type(dtype))
    args = [{"name": "x", "pos": True, "value": {"ref": taken}}, {"name": "to", "pos": False, "value": {"const": to}}]
    return {"api": "onnx.Cast", "args": args, "outputs": [tensor(made, dtype)]}


def call(api: str, made: int, dtype: str, *taken: int) -> Json:
    args = [{"name": "x", "pos": True, "value": {"ref": i}} for i in taken]
    return {"api": f"onnx.{api}", "args": args, "outputs": [tensor(made, dtype)]}


def pair(dtype: str, less: str, *behind: Json) -> Json:
    """A pair of casts of a computed tensor: 0 ─► Tanh ─► 1 ─► 2 ─► 3."""
    nodes = [call("Tanh", 1, dtype, 0), cast(2, 1, less), cast(3, 2, dtype), *behind]
    return {"values": 5, "inputs": [tensor(0, dtype)], "nodes": nodes, "outputs": [nodes[-1]["outputs"][0]["id"]]}


def checked(item: Json, change: Callable[[Any], None], casts: bool = True) -> tuple[str, Check]:
    """The verdict on onnxruntime behind a pass."""

    def compile(model: Any, example: Any, stage: Any) -> Any:
        copy = onnx.ModelProto.FromString(model.SerializeToString())
        change(copy)
        return targets.load("onnxruntime-none").compile(copy, example, stage)

    module = types.ModuleType("fake")
    vars(module).update({"FRAMEWORK": "onnx", "REQUIRES": (), "compile": compile, "CASTS": casts})
    check = Check(ONNX, Target("fake", module), Reader(ONNX).model(item), Clock(lambda stage: None))
    return str(check.run()["verdict"]), check


def verdict(item: Json, change: Callable[[Any], None], casts: bool = True) -> str:
    return checked(item, change, casts)[0]


def merge_unseen(model: Any) -> None:
    """Removes a pair of casts if the tensor between them is no output, as onnxruntime before 1.17 does."""
    if all(info.name != "t2" for info in model.graph.output):
        merge(model)


def merge(model: Any) -> None:
    """Removes a pair of casts."""
    made = {node.output[0]: node for node in model.graph.node if node.op_type == "Cast"}
    for node in made.values():
        if node.input[0] in made:
            node.op_type, node.input[0] = "Identity", made[node.input[0]].input[0]
            del node.attribute[:]


def moved(model: Any) -> None:
    """Computes about a unit in the last place more."""
    tanh = next(node for node in model.graph.node if node.op_type == "Tanh")
    tanh.output[0] = "less"
    kind = model.graph.input[0].type.tensor_type.elem_type
    more = np.array(1 + 2**-23, onnx.helper.tensor_dtype_to_np_dtype(kind))
    model.graph.initializer.append(onnx.numpy_helper.from_array(more, "more"))
    at = list(model.graph.node).index(tanh) + 1
    model.graph.node.insert(at, onnx.helper.make_node("Mul", ["less", "more"], ["t1"]))


def narrowed(model: Any) -> None:
    """Converts to int64 by way of int32, which saturates."""
    last = next(node for node in model.graph.node if node.op_type == "Cast")
    last.output[0] = "narrow"
    last.attribute[0].i = onnx.TensorProto.INT32
    model.graph.node.append(onnx.helper.make_node("Cast", ["narrow"], ["t2"], to=onnx.TensorProto.INT64))


def scaled(model: Any) -> None:
    """Computes about a unit in the last place more before the conversion."""
    last = next(node for node in model.graph.node if node.op_type == "Cast")
    more = np.array(1 + 2**-23, np.float32)
    model.graph.initializer.append(onnx.numpy_helper.from_array(more, "more"))
    last.input[0] = "most"
    model.graph.node.insert(1, onnx.helper.make_node("Mul", ["t1", "more"], ["most"]))


class Conversions(unittest.TestCase):
    """Conversions of floats beyond 2^31 to integers."""

    def test_large(self) -> None:
        """One that saturates is wrong; one of a float that is off by a unit in the last place is not."""
        nodes = [call("Neg", 1, "float32", 0), cast(2, 1, "int64")]
        for bits in (33, 40, 50, 61):
            inputs = [{**tensor(0, "float32"), "values": "finite", "range": [-(2**bits), 2**bits]}]
            item = {"values": 5, "inputs": inputs, "nodes": nodes, "outputs": [2]}
            with self.subTest(bits=bits):
                self.assertEqual(verdict(item, narrowed), "inconsistency")
                self.assertIn(verdict(item, scaled), ("ok", "rounding"))
                self.assertEqual(verdict(item, lambda model: None), "ok")


class Pairs(unittest.TestCase):
    """Pairs of casts."""

    def test_removed(self) -> None:
        """Every float of fewer bits, and what is computed of the result."""
        for dtype, less in (("float32", "float16"), ("float32", "bfloat16"), ("float64", "float16"), ("float64", "float32")):
            with self.subTest(dtype=dtype, less=less):
                self.assertEqual(verdict(pair(dtype, less), merge), "inconsistency")
                self.assertEqual(verdict(pair(dtype, less), lambda model: None), "ok")
        apart = pair("float32", "float16", call("Sub", 4, "float32", 3, 1))
        self.assertEqual(verdict(apart, merge), "inconsistency")
        self.assertEqual(verdict(apart, lambda model: None), "ok")

    def test_by_design(self) -> None:
        """A target may remove them by design."""
        self.assertEqual(verdict(pair("float32", "float16"), merge, casts=False), "rounding")

    def test_carried(self) -> None:
        """A call of half precision may be computed in 32 bits, and its result be rounded by no cast."""
        item = pair("float32", "float16")
        item["nodes"] = [cast(1, 0, "float16"), call("Sin", 2, "float16", 1), cast(3, 2, "float32")]

        def widen(model: Any) -> None:
            sine, back = model.graph.node[1:]
            sine.input[0], back.op_type = "wide", "Identity"
            del back.attribute[:]
            model.graph.node.insert(1, onnx.helper.make_node("Cast", ["t1"], ["wide"], to=onnx.TensorProto.FLOAT))

        self.assertIn(verdict(item, widen), ("ok", "rounding"))

    def test_scripts(self) -> None:
        """A pair of casts that is kept if all tensors are requested. The tolerance shows the difference. If onnxruntime
        without optimizations removes the pair, too, the reference makes the calls one by one."""
        for dtype, less, most in (("float32", "float16", 1e-4), ("float64", "float32", 1e-7)):
            found, check = checked(pair(dtype, less), merge_unseen)
            self.assertEqual(found, "inconsistency")
            self.assertLess(check.script_bounds(3)[1], most)
        model = Reader(ONNX).model(pair("float32", "float16"))
        whole = onnx_adapter.reference

        def without(file: Any, inputs: Any) -> Any:
            copy = onnx.ModelProto.FromString(file.SerializeToString())
            merge(copy)
            return whole(copy, inputs)

        self.assertNotIn("reference = reference, by_calls", "".join(ONNX.script(model, []).start))
        with unittest.mock.patch.object(onnx_adapter, "reference", without):
            self.assertIn("reference = reference, by_calls", "".join(ONNX.script(model, []).start))

    def test_ties(self) -> None:
        """An operand next to a tie is rounded to either side."""
        for seed in range(8):
            item = {**pair("float32", "float16"), "values": seed}
            self.assertIn(verdict(item, moved), ("ok", "rounding"))


if __name__ == "__main__":
    unittest.main()
