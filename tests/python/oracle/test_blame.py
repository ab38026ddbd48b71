"""Which setting of a target makes a model fail: on targets written here, and on onnxruntime if it is installed."""

from __future__ import annotations

import os
import types
import unittest
from typing import Any

try:
    import numpy as np

    from rulefuzz import framework, targets
    from rulefuzz.model import Reader
    from rulefuzz.oracle import tolerance
    from rulefuzz.oracle.blame import blame, blame_crash
    from rulefuzz.targets import Target

    adapter = framework.load("onnx")
    targets.load("onnxruntime").prepare()
except Exception as missing:
    raise unittest.SkipTest(str(missing)) from None


def chain(*names: str) -> Any:
    """A chain of unary operators on four floats."""
    nodes = [
        {
            "op": f"onnx.{name}-0",
            "api": f"onnx.{name}",
            "args": [{"name": "X", "pos": True, "value": {"ref": i}}],
            "outputs": [{"id": i + 1, "shape": [4], "dtype": "float32"}],
        }
        for i, name in enumerate(names)
    ]
    inputs = [{"id": 0, "shape": [4], "dtype": "float32"}]
    text = {"model": 1, "framework": "onnx", "seed": 0, "index": 0, "values": 7, "inputs": inputs, "nodes": nodes}
    return Reader(adapter).model({**text, "outputs": [len(names)]})


def target(**parts: Any) -> Target:
    """A target whose results are off by one while the part `bad` is enabled."""

    def compile(model: Any, example: Any, stage: Any) -> Any:
        off = np.float32(0 if os.environ.get("RULEFUZZ_PARTS") == "bad" else 1)
        right = targets.load("onnxruntime-none").compile(model, example, stage)
        return lambda *inputs: [out.numpy() + off for out in right(*inputs)]

    module = types.ModuleType("fake")
    vars(module).update({"FRAMEWORK": "onnx", "REQUIRES": (), "compile": compile, "WITHOUT": "RULEFUZZ_PARTS", **parts})
    return Target("fake", module)


def crashing(without: str, **parts: Any) -> Target:
    """A target whose compiler aborts unless this pass is disabled."""

    def compile(model: Any, example: Any, stage: Any) -> Any:
        if os.environ.get("RULEFUZZ_PARTS") != without:
            os.abort()
        return targets.load("onnxruntime-none").compile(model, example, stage)

    return target(compile=compile, **parts)


def spoiling(api: str) -> Target:
    """A target whose calls of one API overwrite their inputs."""

    def compile(model: Any, example: Any, stage: Any) -> Any:
        right = targets.load("onnxruntime-none").compile(model, example, stage)
        spoils = any(node.op_type == api for node in model.graph.node)

        def call(*inputs: Any) -> Any:
            results = [out.numpy() for out in right(*inputs)]
            for array in inputs if spoils else ():
                array[...] = 0
            return results

        return call

    module = types.ModuleType("spoils")
    vars(module).update({"FRAMEWORK": "onnx", "REQUIRES": (), "compile": compile})
    return Target("spoils", module)


class Blame(unittest.TestCase):
    """blame.py."""

    def setUp(self) -> None:
        targets.load("onnxruntime-none").prepare()

    def blamed(self, by: Target) -> str:
        return blame(adapter, by, chain("Abs", "Neg"), tolerance.MEASURED)

    def test_part_that_the_failure_needs(self) -> None:
        self.assertEqual(self.blamed(target(suspects=lambda model: ["good", "bad", "other"])), "bad")
        self.assertNotIn("RULEFUZZ_PARTS", os.environ)

    def test_no_single_part(self) -> None:
        self.assertEqual(self.blamed(target(suspects=lambda model: ["good", "other"])), "")
        self.assertEqual(self.blamed(target()), "")

    def test_no_failure(self) -> None:
        self.assertEqual(self.blamed(targets.load("onnxruntime-none")), "")

    def test_agreeing_earlier_target_is_not_blamed(self) -> None:
        self.assertEqual(self.blamed(target(BEFORE=("onnxruntime-none", "no-such-target"))), "")

    def test_earlier_target_with_the_same_failure(self) -> None:
        load = targets.load
        self.addCleanup(setattr, targets, "load", load)
        targets.load = lambda name: target() if name == "earlier" else load(name)
        self.assertEqual(self.blamed(target(BEFORE=("onnxruntime-none", "earlier"))), "as fake")

    def test_overwritten_inputs(self) -> None:
        self.assertEqual(self.blamed(spoiling("Abs")), "onnx.Abs writes over its inputs")

    def test_first_wrong_call(self) -> None:
        self.assertEqual(self.blamed(spoiling("Neg")), "onnx.Neg writes over its inputs")
        self.assertEqual(self.blamed(spoiling("Exp")), "")

    def test_pass_that_a_crash_needs(self) -> None:
        """It is found in children, and only if there is one without which all is well."""
        passes = {"passes": lambda: ["good", "bad", "other"]}
        for by, named in ((crashing("bad", **passes), "bad"), (crashing("bad,other", **passes), ""),
                          (crashing("good,bad", passes=lambda: ["good", "bad"]), "good+bad"), (crashing("bad"), ""),
                          (crashing("", **passes), "")):  # fmt: skip
            self.assertEqual(blame_crash(adapter, by, chain("Abs", "Neg"), tolerance.MEASURED), named)
        self.assertNotIn("RULEFUZZ_PARTS", os.environ)

    def test_passes_of_onnxruntime(self) -> None:
        by = targets.load("onnxruntime")
        by.prepare()
        names = by.module.passes()
        self.assertTrue({"Pad_Fusion", "ConstantFolding", "QDQSelectorActionTransformer"} <= set(names), names)
        self.assertEqual(len(names), len(set(names)))

    def test_suspects_of_onnxruntime_changed_the_model(self) -> None:
        by = targets.load("onnxruntime")
        by.prepare()
        model = adapter.subject(chain("Identity", "Abs"), [], (2,))
        self.assertTrue(all(name.isidentifier() for name in by.module.suspects(model)))
        self.assertTrue(by.module.suspects(model))


if __name__ == "__main__":
    unittest.main()
