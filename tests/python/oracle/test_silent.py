"""Each row of docs/reference/excuses.md, "All frameworks": a model with an excused difference. Different strides are
findings.

Each model has a target's excused change, and a fault that must still be detected.
"""

from __future__ import annotations

import re
import unittest
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

try:
    import torch

    from rulefuzz.frameworks.torch import Torch, other_strides
except ImportError:
    raise unittest.SkipTest("no torch") from None

from rulefuzz.model import Json, Reader
from rulefuzz.oracle.check import Check, Clock
from rulefuzz.targets import Target

Change = Callable[[Any], Any]
TABLE = Path(__file__).parents[3] / "docs" / "reference" / "excuses.md"


def tensor(i: int, shape: list[int], dtype: str, span: list[int] | None = None) -> Json:
    """A tensor as a model declares it."""
    return {"id": i, "shape": shape, "dtype": dtype, **({"range": span} if span else {})}


def chain(inputs: list[Json], *calls: tuple[str, list[Any], list[Json]]) -> Json:
    """A model of calls: API, arguments (a tensor as "v0", otherwise a constant's text), outputs. It returns the last
    results."""
    nodes = []
    for api, args, outputs in calls:
        values = [{"ref": int(a[1:])} if a[0] == "v" else {"const": a.rpartition("=")[2]} for a in args]
        named = [{"name": a.partition("=")[0] if "=" in a else f"x{i}", "pos": "=" not in a, "value": value}
                 for i, (a, value) in enumerate(zip(args, values, strict=True))]  # fmt: skip
        nodes.append({"api": api, "args": named, "outputs": outputs})
    return {"values": 5, "inputs": inputs, "nodes": nodes, "outputs": [out["id"] for out in calls[-1][2]]}


def verdict(item: Json, change: Change, strides: bool = False) -> str:
    """The verdict on a target that returns eager's results, changed."""
    module = ModuleType("target")

    def compile_as_it_is(subject: Any, example: Any, stage: Callable[[str], None]) -> Any:
        stage("run")
        return lambda *inputs: [change(t.clone()) for t in subject(*inputs)]

    module.compile, module.STRIDES = compile_as_it_is, strides  # type: ignore[attr-defined]
    framework = Torch()
    framework.enter()
    model = Reader(framework).model(item)
    return str(Check(framework, Target("fake", module), model, Clock(lambda stage: None)).run()["verdict"])


def one(api: str, dtype: str, span: list[int], *more: str, out: str = "") -> Json:
    """A model of one call on a tensor of shape [8]."""
    return chain([tensor(0, [8], dtype, span)], (api, ["v0", *more], [tensor(1, [8], out or dtype)]))


def tan_of_cosh() -> Json:
    """tensorflow#58752: a chain that amplifies one ulp without bound."""
    calls = [("torch.cosh", ["v0"], [tensor(1, [8], "float32")]), ("torch.cosh", ["v1"], [tensor(2, [8], "float32")]),
             ("torch.tan", ["v2"], [tensor(3, [8], "float32")])]  # fmt: skip
    return chain([tensor(0, [8], "float32", [3, 5])], *calls)


def unique_of_floor() -> Json:
    """pytorch#148859: values near an integer round to either side, which changes the number of unique elements."""
    calls = [("torch.div", ["v0", "v0"], [tensor(1, [8], "float32")]), ("torch.floor", ["v1"], [tensor(2, [8], "float32")]),
             ("torch.unique", ["v2"], [tensor(3, [1], "float32")])]  # fmt: skip
    return chain([tensor(0, [8], "float32")], *calls)


def singular() -> Json:
    """pytorch#150114: the condition number of a matrix with equal rows."""
    calls = [("torch.Tensor.expand", ["v0", "3", "3"], [tensor(1, [3, 3], "float32")]),
             ("torch.linalg.cond", ["v1"], [tensor(2, [], "float32")])]  # fmt: skip
    return chain([tensor(0, [3], "float32")], *calls)


def integers_of_product() -> Json:
    """Integers before a discontinuity: a kernel may return slightly less."""
    calls = [("torch.mul", ["v0", "3"], [tensor(1, [8], "float32")]), ("torch.Tensor.int", ["v1"], [tensor(2, [8], "int32")])]
    return chain([tensor(0, [8], "float32", [1, 5])], *calls)


def integers_of_cube_roots() -> Json:
    """Cube roots of cubes, which are integers only by rounding, before a discontinuity."""
    calls = [("torch.nn.functional.lp_pool1d", ["v0", "3.0", "1"], [tensor(1, [1, 8], "float32")]),
             ("torch.Tensor.int", ["v1"], [tensor(2, [1, 8], "int32")])]  # fmt: skip
    return chain([tensor(0, [1, 8], "float32", [1, 6])], *calls)


def integers_of_lucky_zeros() -> Json:
    """The logarithm of 1, which a kernel may compute as slightly more than 0, before a discontinuity."""
    calls = [("torch.log", ["v0"], [tensor(1, [8], "float32")]), ("torch.ceil", ["v1"], [tensor(2, [8], "float32")]),
             ("torch.Tensor.int", ["v2"], [tensor(3, [8], "int32")])]  # fmt: skip
    return chain([tensor(0, [8], "float32", [1, 3])], *calls)


def signs_of_zeros() -> Json:
    """Zeros before a discontinuity: a kernel may return slightly more."""
    calls = [("torch.relu", ["v0"], [tensor(1, [8], "float32")]), ("torch.gt", ["v1", "0"], [tensor(2, [8], "bool")])]
    return chain([tensor(0, [8], "float32")], *calls)


def quotients_by_zeros() -> Json:
    """Reciprocals of +0."""
    calls = [("torch.relu", ["v0"], [tensor(1, [8], "float32")]), ("torch.reciprocal", ["v1"], [tensor(2, [8], "float32")])]
    return chain([tensor(0, [8], "float32", [-5, 0])], *calls)


def top3() -> Json:
    """Unsorted maxima."""
    outputs = [tensor(1, [3], "float32"), tensor(2, [3], "int64")]
    return chain([tensor(0, [8], "float32")], ("torch.topk", ["v0", "3", "sorted=False"], outputs))


CASES: dict[str, tuple[Json, Change]] = {
    "sign of NaN": (one("torch.log", "float32", [-5, 0]), lambda x: x.neg()),
    "−0": (one("torch.relu", "float32", [-5, 0]), lambda x: x.neg()),
    "flushed denormals": (one("torch.nn.functional.elu", "float32", [-1, 1]), lambda x: x * (abs(x) > 1e-6)),
    "errors below the floor": (one("torch.exp", "float32", [0, 3]), lambda x: x + 7e-8),
    "unstable numerics": (tan_of_cosh(), lambda x: x.neg()),
    "discontinuity after rounding": (unique_of_floor(), lambda x: torch.cat([x, x + 1])),
    "discontinuity after an inexact kernel": (
        integers_of_product(),
        lambda x: x - 1 if x.dtype == torch.int32 else x - 1e-3,
    ),
    "discontinuity after an error below the floor": (
        signs_of_zeros(),
        lambda x: x | True if x.dtype == torch.bool else x + 1e-7,
    ),
    "discontinuity after −0": (quotients_by_zeros(), lambda x: x.neg()),
    "discontinuity after an accidental integer": (
        integers_of_cube_roots(),
        lambda x: x - (x <= 3).int() if x.dtype == torch.int32 else x,
    ),
    "discontinuity after an accidental zero": (integers_of_lucky_zeros(), lambda x: x * 0 + 1 if x.dtype == torch.int32 else x),
    "infinity instead of a near-overflow": (one("torch.mul", "float32", [2, 9], "2e37"), lambda x: x * 1e9),
    "singular matrices": (singular(), lambda x: x * 3 + 1e9),
    "casts out of range": (one("torch.Tensor.byte", "float32", [-5, 0], out="uint8"), lambda x: x * 0),
    "integer overflow": (one("torch.square", "int8", [50, 60]), lambda x: x.clamp(max=0)),
    "shifts": (one("torch.Tensor.__lshift__", "int32", [1, 9], "40"), lambda x: x + 1),
    "order of sorted=False": (top3(), lambda x: x.flip(0)),
}
"""For each row of the table: a model and an excused change."""
FAULTS: dict[str, Change] = {
    "−0": lambda x: x + 1,
    "flushed denormals": lambda x: x - 0.5,
    "errors below the floor": lambda x: x + 1e-3,
    "discontinuity after an inexact kernel": lambda x: x - 1,
    "infinity instead of a near-overflow": lambda x: x * 1.1,
    "discontinuity after −0": lambda x: x.neg() if bool(x.any()) else x,
    "discontinuity after an error below the floor": lambda x: ~x if x.dtype == torch.bool else x + 1e-7,
}
"""Faults of the same models."""


class Silent(unittest.TestCase):
    """Differences that must not be reported."""

    def test_classes(self) -> None:
        for name, (item, change) in CASES.items():
            with self.subTest(name):
                self.assertIn(verdict(item, change), ("ok", "rounding", "unspecified"))

    def test_faults_of_the_same_models(self) -> None:
        for name, change in FAULTS.items():
            with self.subTest(name):
                self.assertEqual(verdict(CASES[name][0], change), "inconsistency")

    def test_wrong_element_before_a_discontinuity(self) -> None:
        change: Change = lambda x: x - 1 if x.dtype == torch.int32 else x - 0.6  # noqa: E731
        self.assertEqual(verdict(integers_of_product(), change), "inconsistency")

    def test_infinity_instead_of_a_finite_value(self) -> None:
        self.assertEqual(verdict(one("torch.mul", "float32", [2, 9], "2e35"), lambda x: x * 1e9), "inconsistency")

    def test_integers_that_fit_are_exact(self) -> None:
        self.assertEqual(verdict(one("torch.square", "int8", [2, 9]), lambda x: x + 1), "inconsistency")
        self.assertEqual(verdict(one("torch.bitwise_not", "int8", [2, 9]), lambda x: x + 1), "inconsistency")
        self.assertEqual(verdict(one("torch.Tensor.byte", "float32", [0, 9], out="uint8"), lambda x: x + 1), "inconsistency")

    def test_table_is_complete(self) -> None:
        text = TABLE.read_text(encoding="utf-8").partition("## All frameworks\n")[2].partition("\n##")[0]
        rows = re.findall(r"^\| ([^|]+?) \|", text, re.MULTILINE)[1:]
        self.assertEqual(rows, list(CASES))


class Strides(unittest.TestCase):
    """Targets that return the reference's strides."""

    def test_targets(self) -> None:
        item = chain([tensor(0, [3, 4], "float32")], ("torch.exp", ["v0"], [tensor(1, [3, 4], "float32")]))
        transposed: Change = lambda x: x.t().contiguous().t()  # noqa: E731
        self.assertEqual(verdict(item, transposed, strides=True), "inconsistency")
        self.assertEqual(verdict(item, transposed), "ok")
        self.assertEqual(verdict(item, torch.clone, strides=True), "ok")

    def test_strides_without_effect(self) -> None:
        zeros = torch.zeros
        for got, want, wanted in (
            (zeros(3, 4).t(), zeros(4, 3), "strides [1, 4] instead of [3, 1]"),
            (zeros(4, 3), zeros(3, 4).t(), "strides [3, 1] instead of [1, 4]"),
            (zeros(4, 6)[:, ::2], zeros(4, 3), "strides [6, 2] instead of [3, 1]"),
            (zeros(1, 3), zeros(3, 1).t(), ""),  # a dimension of size 1
            (zeros(3, 0).t(), zeros(0, 3), ""),  # empty
            (zeros(4, 3), zeros(3).expand(4, 3), ""),  # overlaps
            (zeros(4, 3), zeros(4, 6)[:, ::2], ""),  # has gaps
            (torch.tensor(1.0), torch.tensor(1.0), ""),
        ):
            self.assertEqual(other_strides(got, want), wanted)


if __name__ == "__main__":
    unittest.main()
