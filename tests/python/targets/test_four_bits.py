"""Models with 4-bit integers: run by the reference, fed to a target, and compared."""

from __future__ import annotations

import os
import types
import unittest
from collections.abc import Callable
from typing import Any

try:
    import numpy as np

    from rulefuzz import framework, targets
    from rulefuzz.frameworks.onnx_arrays import array_of
    from rulefuzz.model import Interpreter, Json, Reader
    from rulefuzz.oracle.check import Check, Clock
    from rulefuzz.targets import Target

    adapter = framework.load("onnx")
    adapter.enter()
    real = targets.load("onnxruntime").module
except Exception as missing:
    raise unittest.SkipTest(str(missing)) from None


def tensor(i: int, shape: list[int], dtype: str, **more: Any) -> Json:
    """A tensor as a model declares it."""
    return {"id": i, "shape": shape, "dtype": dtype, **more}


def call(api: str, taken: dict[str, Any], output: Json, **attributes: Any) -> Json:
    """A call; ids are inputs, lists elements."""
    values = {n: {"elements": v, "dtype": "int64"} if isinstance(v, list) else {"ref": v} for n, v in taken.items()}
    args = [{"name": name, "pos": True, "value": value} for name, value in values.items()]
    args += [{"name": name, "pos": False, "value": value} for name, value in attributes.items()]
    return {"op": api, "api": api, "args": args, "outputs": [output]}


def check_of(item: Json, change: Callable[[Any], Any] = list, before: Callable[[Any], Any] = list) -> Check:
    """The check of a model by onnxruntime without optimization, whose results or inputs are changed. The target has the
    optimizations of onnxruntime's. The change acts as one that may differ by design."""

    def compile(model: Any, example: Any, stage: Any) -> Any:
        right = targets.load("onnxruntime-none").compile(model, example, stage)
        if any(name in os.environ.get(real.WITHOUT, "") for name in real.QUANTISED) or len(model.graph.output) > 1:
            return right  # nothing is fused with a call whose result is an output
        return lambda *inputs: change(map(array_of, right(*before(inputs))))

    module = types.ModuleType("fake")
    vars(module).update(vars(real) | {"compile": compile})
    targets.load("onnxruntime-none").prepare()
    model = Reader(adapter).model({"values": 5, **item})
    return Check(adapter, Target("fake", module), model, Clock(lambda stage: None))


def judged(item: Json, *change: Callable[[Any], Any]) -> Json:
    """Its verdict."""
    return check_of(item, *change).run()


def in_eight_bits(inputs: Any) -> list[Any]:
    """Floats rounded to 8 bits of their range."""
    scales = [abs(array).max() / 127 for array in inputs]
    return [(np.round(array / scale) * scale).astype(array.dtype) for array, scale in zip(inputs, scales, strict=True)]


def product(dtype: str, zero: int) -> Json:
    """A product with weights in blocks of 32, as weight-only quantization makes it."""
    weights = tensor(1, [64, 8], dtype, constant=True, range=[-8, 8] if dtype == "int4" else [0, 16])
    inputs = [tensor(0, [2, 64], "float32"), weights, tensor(2, [2, 8], "float32", constant=True, range=[5, 17, 16])]
    inputs.append(tensor(3, [2, 8], dtype, constant=True, range=[zero, zero + 1]))
    scaled = call("onnx.DequantizeLinear", {"x": 1, "x_scale": 2, "x_zero_point": 3}, tensor(4, [64, 8], "float32"),
                  axis={"const": "0"}, block_size=32)  # fmt: skip
    times = call("onnx.MatMul", {"A": 0, "B": 4}, tensor(5, [2, 8], "float32"))
    return {"inputs": inputs, "nodes": [scaled, times], "outputs": [5]}


class Products(unittest.TestCase):
    """Weights of 4 bits in blocks, and an activation that nothing quantizes."""

    def test_rounded_activation(self) -> None:
        """A kernel that rounds them to 8 bits, as onnxruntime has since 1.19, is wrong."""
        for dtype, zero in (("int4", 0), ("uint4", 8), ("uint4", 3)):
            with self.subTest(dtype, zero=zero):
                answer = judged(product(dtype, zero), list, in_eight_bits)
                self.assertEqual((answer["verdict"], answer["first"]["api"]), ("inconsistency", "onnx.MatMul"))
                self.assertEqual(judged(product(dtype, zero))["verdict"], "ok")


    def test_quantized_result(self) -> None:
        """A quantized result of them is no adjacent integer by design, unless the activation was quantized, too."""
        item = product("int4", 0)
        item["inputs"] += [tensor(i, [], "float32", constant=True, range=[1, 2]) for i in (6, 7)]
        item["nodes"].append(call("onnx.QuantizeLinear", {"x": 5, "y_scale": 6}, tensor(8, [2, 8], "uint8")))
        item["outputs"] = [8]

        def next_integer(results: Any) -> list[Any]:
            return [array + array.dtype.type(1) for array in results]

        self.assertEqual(judged(item, next_integer)["verdict"], "inconsistency")
        activation = call("onnx.DequantizeLinear", {"x": 0, "x_scale": 7}, tensor(9, [2, 64], "float32"))
        item["inputs"][0] = tensor(0, [2, 64], "uint8")
        item["nodes"].insert(0, activation)
        item["nodes"][2]["args"][0]["value"]["ref"] = 9
        self.assertEqual(judged(item, next_integer)["verdict"], "rounding")

    def test_small_difference(self) -> None:
        """A script's tolerance shows a small difference that vanishes when all tensors are outputs."""
        check = check_of(product("int4", 0), lambda results: [next(results) * np.float32(1.002)])
        self.assertEqual(check.run()["verdict"], "inconsistency")
        self.assertLess(max(check.script_bounds(5)), 1e-4)


class Calls(unittest.TestCase):
    """Calls on 4-bit integers that the model takes and returns."""

    def results(self, node: Json, dtype: str, shape: list[int]) -> Any:
        """The result of a call for an input of this dtype, and the input."""
        item = {"values": 5, "inputs": [tensor(0, shape, dtype, values="large")], "nodes": [node], "outputs": [1]}
        model = Reader(adapter).model(item)
        values = adapter.inputs(model)
        taken = array_of(values[0]).copy()
        run = Interpreter(adapter, model, values)
        run.run()
        return array_of(run.values[1]), taken

    def test_kernels(self) -> None:
        """onnxruntime transposes and casts them, also an odd number of them."""
        got, taken = self.results(call("onnx.Transpose", {"data": 0}, tensor(1, [5, 3], "int4"), perm=[1, 0]), "int4", [3, 5])
        np.testing.assert_array_equal(got.astype(np.int8), taken.astype(np.int8).T)
        self.assertTrue((taken.astype(np.int8) < 0).any())
        got, taken = self.results(call("onnx.Cast", {"input": 0}, tensor(1, [3, 5], "int32"), to=6), "uint4", [3, 5])
        np.testing.assert_array_equal(got, taken.astype(np.int32))
        self.assertGreater(got.max(), 7)

    def test_without_kernel(self) -> None:
        """Calls without a kernel run with 8 bits: onnx's evaluator takes no negative pads."""
        node = call("onnx.Pad", {"data": 0, "pads": [-1, 2]}, tensor(1, [6], "int4"))
        got, taken = self.results(node, "int4", [5])
        np.testing.assert_array_equal(got.astype(np.int8), [*taken.astype(np.int8)[1:], 0, 0])
        got, taken = self.results(call("onnx.Size", {"data": 0}, tensor(1, [], "int64")), "int4", [5])
        self.assertEqual(got, 5)

    def test_other_elements(self) -> None:
        """A target's 4-bit result with another element differs."""

        def other(results: Any) -> list[Any]:
            array = next(results).copy()
            array[4, 2] = 15 - int(array[4, 2])
            return [array]

        item = {"inputs": [tensor(0, [3, 5], "uint4")], "outputs": [1],
                "nodes": [call("onnx.Transpose", {"data": 0}, tensor(1, [5, 3], "uint4"), perm=[1, 0])]}  # fmt: skip
        self.assertEqual(judged(item)["verdict"], "ok")
        self.assertEqual(judged(item, other)["verdict"], "inconsistency")


if __name__ == "__main__":
    unittest.main()
