"""Models of an operator set: the file of a target, and kernels of older versions that reference and target share."""

from __future__ import annotations

import copy
import types
import unittest
import unittest.mock
from typing import Any

try:
    import numpy as np

    from rulefuzz import framework, targets
    from rulefuzz.model import BadModel, Json, Raised, Reader
    from rulefuzz.oracle.check import Check, Clock
    from rulefuzz.oracle.tiers import merged
    from rulefuzz.targets import Target

    adapter: Any = framework.load("onnx")
    adapter.enter()
    targets.load("onnxruntime-none").prepare()
except Exception as missing:
    raise unittest.SkipTest(str(missing)) from None


def tensor(i: int, *shape: int, **more: Any) -> Json:
    """A float tensor as a model declares it."""
    return {"id": i, "shape": list(shape), "dtype": "float32", **more}


def unary(api: str, taken: Json, made: Json, opset: int = 0, **attributes: str) -> Json:
    """A model of one call."""
    args: list[Json] = [{"name": "X", "pos": True, "value": {"ref": taken["id"]}}]
    args += [{"name": name, "pos": False, "value": {"const": text}} for name, text in attributes.items()]
    node = {"op": f"{api}-0", "api": api, "args": args, "outputs": [made]}
    return {"values": 5, "inputs": [taken], "nodes": [node], "outputs": [made["id"]], **({"opset": opset} if opset else {})}


def file_of(item: Json) -> Any:
    """The file that a target gets."""
    model = Reader(adapter).model(item)
    return adapter.subject(model, [], model.outputs)


POOL = unary("onnx.AveragePool_11", tensor(0, 1, 1, 6), tensor(1, 1, 1, 2), 13, kernel_shape="[3]", strides="[2]")


class Files(unittest.TestCase):
    """What targets get."""

    def test_set(self) -> None:
        """The model's set and the IR version of its release; without one, the oldest set that has the call."""
        for opset, version in ((11, 6), (13, 7), (18, 8)):
            made = file_of({**POOL, "opset": opset})
            self.assertEqual((made.opset_import[0].version, made.ir_version), (opset, version))
        self.assertEqual(file_of({**POOL, "opset": 0}).opset_import[0].version, 11)

    def test_initializers(self) -> None:
        """Before IR version 4, they are inputs, too, behind the others."""
        item = unary("onnx.Acos", tensor(0, 2), tensor(1, 2), 7)
        item["inputs"] = [tensor(2, 2, constant=True), *item["inputs"]]
        self.assertEqual([info.name for info in file_of(item).graph.input], ["t0", "t2"])
        self.assertEqual([info.name for info in file_of({**item, "opset": 9}).graph.input], ["t0"])

    def test_another_set(self) -> None:
        """A set without the call is an error, not another call."""
        for opset in (10, 19):
            with self.assertRaises(Raised):
                file_of({**POOL, "opset": opset})
        with self.assertRaises(BadModel):
            Reader(adapter).model({**POOL, "opset": "x"})

    def test_merged(self) -> None:
        """Models that are compiled as one keep the set."""
        model = Reader(adapter).model(POOL)
        self.assertEqual(merged([model, model]).opset, 13)


def twice(arrays: Any) -> list[Any]:
    """Wrong results."""
    return [np.asarray(array.numpy()) * np.float32(2) for array in arrays]


def check(item: Json, planted: str) -> Any:
    """A check where reference and target share a kernel for `planted`, an API, that gives twice the result."""
    run = adapter._found

    def wrong(call: Any, values: Any) -> Any:
        found, (node, *_) = run(call, values), call.nodes
        return twice(found) if node.api == planted and not node.renewed else found

    def compile(model: Any, example: Any, stage: Any) -> Any:
        right = targets.load("onnxruntime-none").compile(model, example, stage)
        return lambda *inputs: twice(right(*inputs)) if item["nodes"][0]["api"] == planted else right(*inputs)

    module = types.ModuleType("fake")
    vars(module).update({"FRAMEWORK": "onnx", "REQUIRES": (), "compile": compile})
    made = Check(adapter, Target("fake", module), Reader(adapter).model(item), Clock(lambda stage: None))
    with unittest.mock.patch.object(adapter, "_found", wrong):
        return made.run(), made.reference.model.nodes[0].renewed


class SharedKernels(unittest.TestCase):
    """Kernels of older versions."""

    def test_wrong(self) -> None:
        """The newest version's kernel and the evaluator's implementation of this version agree on another result."""
        answer, renewed = check(POOL, "onnx.AveragePool_11")
        self.assertTrue(renewed)
        self.assertEqual((answer["verdict"], answer["first"]["wrong"], answer["renewed"]), ("inconsistency", "target", True))

    def test_large(self) -> None:
        """The evaluator would take seconds."""
        large = copy.deepcopy(POOL)
        for made in (large["inputs"][0], large["nodes"][0]["outputs"][0]):
            made["shape"][0] = 2048
        self.assertEqual(check(large, "onnx.AveragePool_11"), ({"verdict": "ok", "differs": []}, False))

    def test_right(self) -> None:
        """So they do on its own."""
        self.assertEqual(check(POOL, "none"), ({"verdict": "ok", "differs": []}, False))

    def test_another_definition(self) -> None:
        """Softmax of set 11 is of a matrix, but the evaluator computes that of set 13."""
        item = unary("onnx.Softmax_11", tensor(0, 2, 3, 4), tensor(1, 2, 3, 4), 12, axis="1")
        self.assertEqual(check(item, "none"), ({"verdict": "ok", "differs": []}, False))

    def test_no_newest(self) -> None:
        """Axes were an attribute: the newest version cannot confirm the evaluator."""
        item = unary("onnx.ReduceSum_1", tensor(0, 2, 3), tensor(1, 2, 1), 9, axes="[1]")
        self.assertEqual(check(item, "onnx.ReduceSum_1"), ({"verdict": "ok", "differs": []}, False))


if __name__ == "__main__":
    unittest.main()
