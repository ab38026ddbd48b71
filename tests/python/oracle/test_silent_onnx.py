"""Differences that are no bugs, of ONNX: the second table of docs/running.md, a case each, and a fault of the same model."""

from __future__ import annotations

import os
import re
import types
import unittest
from collections.abc import Callable
from pathlib import Path
from typing import Any

try:
    import numpy as np

    from rulefuzz import framework, targets
    from rulefuzz.model import Json, Reader
    from rulefuzz.oracle.check import Check, Clock
    from rulefuzz.targets import Target

    adapter = framework.load("onnx")
    adapter.enter()
    targets.load("onnxruntime-none").prepare()
except Exception as missing:
    raise unittest.SkipTest(str(missing)) from None

Change = Callable[[Any], Any]
TABLE = Path(__file__).parents[3] / "docs" / "running.md"
VARIABLE = "RULEFUZZ_PARTS"


def tensor(i: int, shape: list[int], dtype: str, span: list[int] | None = None) -> Json:
    """A tensor as models declare it."""
    return {"id": i, "shape": shape, "dtype": dtype, **({"range": span} if span else {})}


def one(api: str, inputs: list[Json], output: Json, **attributes: str) -> Json:
    """A model of one call of its inputs."""
    args = [{"name": f"x{t['id']}", "pos": True, "value": {"ref": t["id"]}} for t in inputs]
    args += [{"name": name, "pos": False, "value": {"const": text}} for name, text in attributes.items()]
    node = {"op": f"{api}-0", "api": api, "args": args, "outputs": [output]}
    return {"values": 5, "inputs": inputs, "nodes": [node], "outputs": [output["id"]]}


def target(change: Change) -> Target:
    """onnxruntime without optimisation, whose results are changed unless the part "coarse" is left out."""

    def compile(model: Any, example: Any, stage: Any) -> Any:
        right = targets.load("onnxruntime-none").compile(model, example, stage)
        out = "coarse" in os.environ.get(VARIABLE, "").split(",")
        return lambda *inputs: [got.numpy() if out else change(got.numpy()) for got in right(*inputs)]

    module = types.ModuleType("fake")
    vars(module).update({"FRAMEWORK": "onnx", "REQUIRES": (), "compile": compile, "WITHOUT": VARIABLE})
    return Target("fake", module)


def verdict(item: Json, change: Change, coarse: tuple[str, ...] = ()) -> str:
    """What is said of a target that returns what the reference does, changed."""
    fake = target(change)
    vars(fake.module)["COARSE"] = coarse
    return str(Check(adapter, fake, Reader(adapter).model(item), Clock(lambda stage: None)).run()["verdict"])


NORMAL = one("onnx.LayerNormalization", [tensor(0, [2, 9], "float64"), tensor(1, [9], "float64")], tensor(2, [2, 9], "float64"))
PRODUCT = one("onnx.ReduceProd", [tensor(0, [1, 30], "int32", [2, 5])], tensor(1, [1, 1], "int32"))
SUM = one("onnx.Add", [tensor(0, [9], "float32"), tensor(1, [9], "float32")], tensor(2, [9], "float32"))
CASES: dict[str, tuple[Json, Change]] = {
    "float64 computed in float32": (NORMAL, lambda x: x * (1 + 3e-7)),
    "integers that overflow": (PRODUCT, lambda x: x + 1),
    "a pass that is less exact by design": (SUM, lambda x: x * np.float32(1.01)),
}
"""The rows of the table."""
FAULTS: dict[str, tuple[Json, Change]] = {
    "float64 computed in float32": (NORMAL, lambda x: x.astype(np.float16).astype(np.float64)),
    "float64 computed in float32 where nothing says so": (
        one("onnx.Exp", [tensor(0, [9], "float64")], tensor(1, [9], "float64")),
        lambda x: x * (1 + 3e-7),
    ),
    "integers that fit": (
        one("onnx.ReduceProd", [tensor(0, [1, 3], "int32", [2, 5])], tensor(1, [1, 1], "int32")),
        lambda x: x + 1,
    ),
    "a pass that does more than that": (SUM, lambda x: x * np.float32(1.5)),
}
COARSE = ("coarse",)


class Silent(unittest.TestCase):
    """What must not be reported, and what must."""

    def test_classes(self) -> None:
        for name, (item, change) in CASES.items():
            with self.subTest(name):
                self.assertIn(verdict(item, change, COARSE if item is SUM else ()), ("rounding", "undefined"))

    def test_faults(self) -> None:
        for name, (item, change) in FAULTS.items():
            with self.subTest(name):
                self.assertEqual(verdict(item, change, COARSE if item is SUM else ()), "inconsistency")

    def test_a_pass_that_is_not_named(self) -> None:
        self.assertEqual(verdict(SUM, CASES["a pass that is less exact by design"][1]), "inconsistency")

    def test_the_environment_is_as_before(self) -> None:
        before = os.environ.get(VARIABLE, "")
        verdict(SUM, lambda x: x * np.float32(1.01), COARSE)
        self.assertEqual(os.environ.get(VARIABLE, ""), before)

    def test_the_table_has_them_all(self) -> None:
        text = TABLE.read_text(encoding="utf-8").partition("### Of ONNX")[2].partition("\n##")[0]
        self.assertEqual(re.findall(r"^\| ([^|]+?) \|", text, re.MULTILINE)[2:], list(CASES))


if __name__ == "__main__":
    unittest.main()
