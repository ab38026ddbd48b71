"""Cases of the excuses of all frameworks: models with an excused difference. Different strides are findings.

Each model has a target's excused change, and a fault that must still be detected.
"""

from __future__ import annotations

import unittest
from collections.abc import Callable
from types import ModuleType
from typing import Any

try:
    import numpy as np
    import torch

    from rulefuzz.frameworks.torch import Torch, other_strides
except ImportError:
    raise unittest.SkipTest("no torch") from None

from rulefuzz.model import Json, Reader
from rulefuzz.oracle import excuses, tolerance
from rulefuzz.oracle.check import Check, Clock
from rulefuzz.oracle.excuses.ties import among_equal
from rulefuzz.oracle.tiers import Tiers
from rulefuzz.targets import Target
from tests.python.excuses import cases_of

Change = Callable[[Any], Any]


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
    return str(judged(item, change, strides)["verdict"])


def judged(item: Json, change: Change, strides: bool = False, preset: str = tolerance.MEASURED) -> Json:
    """The whole answer."""
    module = ModuleType("target")

    def compile_as_it_is(subject: Any, example: Any, stage: Callable[[str], None]) -> Any:
        stage("run")
        return lambda *inputs: [change(t.clone()) for t in subject(*inputs)]

    module.compile, module.STRIDES = compile_as_it_is, strides  # type: ignore[attr-defined]
    framework = Torch()
    framework.enter()
    model = Reader(framework).model(item)
    return Check(framework, Target("fake", module), model, Clock(lambda stage: None), preset).run()


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
    """pytorch#150114: the condition number of a matrix of rank 1."""
    calls = [("torch.outer", ["v0", "v0"], [tensor(1, [3, 3], "float32")]),
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


def top3(in_order: str = "False", span: list[int] | None = None) -> Json:
    """Unsorted or sorted maxima."""
    outputs = [tensor(1, [3], "float32"), tensor(2, [3], "int64")]
    return chain([tensor(0, [8], "float32", span)], ("torch.topk", ["v0", "3", f"sorted={in_order}"], outputs))


def determinant(low: int) -> Json:
    """The determinant of a matrix of logarithms of integers from `low` on."""
    calls = [("torch.log", ["v0"], [tensor(1, [3, 3], "float32")]), ("torch.linalg.det", ["v1"], [tensor(2, [], "float32")])]
    return chain([tensor(0, [3, 3], "float32", [low, low + 9])], *calls)


def scattered() -> Json:
    """Several values written to one place."""
    inputs = [tensor(0, [8], "float32"), tensor(1, [8], "int64", [0, 2]), tensor(2, [8], "float32")]
    return chain(inputs, ("torch.scatter", ["v0", "0", "v1", "v2"], [tensor(3, [8], "float32")]))


def scattered_apart() -> Json:
    """A scatter to the indices of a permutation."""
    calls = [("torch.argsort", ["v0"], [tensor(2, [8], "int64")]),
             ("torch.scatter", ["v0", "0", "v2", "v1"], [tensor(3, [8], "float32")])]  # fmt: skip
    return chain([tensor(0, [8], "float32"), tensor(1, [8], "float32")], *calls)


def compared() -> Json:
    """Comparisons of NaN, which IEEE 754 defines."""
    calls = [("torch.log", ["v0"], [tensor(1, [8], "float32")]), ("torch.lt", ["v1", "1"], [tensor(2, [8], "bool")])]
    return chain([tensor(0, [8], "float32", [-5, 0])], *calls)


def root(low: int) -> Json:
    """A root whose gradient is infinite for 0."""
    made = ("torch.sqrt", ["v0"], [tensor(1, [8], "float32")])
    return {**chain([tensor(0, [8], "float32", [low, low + 1])], made), "gradients": True}


def amplified() -> Json:
    """A chain that amplifies one ulp tenfold."""
    calls = [("torch.cosh", ["v0"], [tensor(1, [8], "float32")]), ("torch.cosh", ["v1"], [tensor(2, [8], "float32")])]
    return chain([tensor(0, [8], "float32", [3, 5])], *calls)


def greatest(api: str, *args: str, shape: tuple[int, ...] = (4, 8), out: tuple[int, ...] = (4,)) -> Json:
    """An extreme or ordered values, and their indices."""
    outputs = [tensor(1, list(out), "float32"), tensor(2, list(out), "int64")]
    return chain([tensor(0, list(shape), "float32")], (api, ["v0", *args], outputs))


def at_greatest(span: list[int] | None) -> Json:
    """Twice the index of the maximum."""
    outputs = [tensor(1, [4], "float32"), tensor(2, [4], "int64")]
    calls = [("torch.max", ["v0", "1"], outputs), ("torch.mul", ["v2", "2"], [tensor(3, [4], "int64")])]
    return chain([tensor(0, [4, 8], "float32", span)], *calls)


def other_index(x: Any) -> Any:
    """Another index, of as many."""
    return (x + 1) % 4 if x.dtype == torch.int64 else x


CASES: dict[str, tuple[Json, Change]] = {
    "sign of NaN": (one("torch.log", "float32", [-5, 0]), lambda x: x.neg()),
    "−0": (one("torch.relu", "float32", [-5, 0]), lambda x: x.neg()),
    "flushed denormals": (one("torch.mul", "float32", [1, 9], "1e-40"), lambda x: x * (abs(x) > 1e-37)),
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
    "NaN in a linear system": (determinant(-9), torch.ones_like),
    "values scattered to one place": (scattered(), lambda x: x + 1),
    "gradients that are not finite": (root(0), lambda x: x),
    "an amplified rounding": (amplified(), lambda x: x * (1 + 1e-5)),
    "index of equal maxima": (top3("True", [2, 3]), lambda x: 7 - x if x.dtype == torch.int64 else x),
    "elements at the index of equal maxima": (at_greatest([2, 3]), lambda x: x + 1),
}
"""For each case: a model and an excused change."""
FAULTS: dict[str, tuple[Json, Change]] = {
    "−0": (CASES["−0"][0], lambda x: x + 1),
    "flushed denormals": (CASES["flushed denormals"][0], lambda x: x - 0.5),
    "errors below the floor": (CASES["errors below the floor"][0], lambda x: x + 1e-3),
    "discontinuity after an inexact kernel": (integers_of_product(), lambda x: x - 1),
    "wrong element before a discontinuity": (integers_of_product(), lambda x: x - 1 if x.dtype == torch.int32 else x - 0.6),
    "infinity instead of a near-overflow": (one("torch.mul", "float32", [2, 9], "2e37"), lambda x: x * 1.1),
    "discontinuity after −0": (quotients_by_zeros(), lambda x: x.neg() if bool(x.any()) else x),
    "discontinuity after an error below the floor": (signs_of_zeros(), lambda x: ~x if x.dtype == torch.bool else x + 1e-7),
    "a number instead of NaN, by sign": (one("torch.log", "float32", [-5, 0]), lambda x: x.neg().nan_to_num(1.0)),
    "another shape without a discontinuity": (one("torch.exp", "float32", [0, 3]), lambda x: torch.cat([x, x + 1])),
    "a shift by less than the width": (one("torch.Tensor.__lshift__", "int32", [1, 9], "4"), lambda x: x + 1),
    "a product instead of a shift": (one("torch.mul", "int32", [1, 9], "4"), lambda x: x + 1),
    "a sum instead of a scatter": (one("torch.add", "float32", [1, 9], "4"), lambda x: x + 1),
    "order of sorted=True": (top3("True"), lambda x: x.flip(0)),
    "index of a maximum without an equal": (top3("True"), other_index),
    "elements at the index of a maximum": (at_greatest(None), lambda x: x + 1),
    "a maximum beside its index": (top3("True", [2, 3]), lambda x: x + 1),
    "values scattered to different places": (scattered_apart(), lambda x: x + 1),
    "comparisons of NaN": (compared(), torch.logical_not),
    "casts in range": (one("torch.Tensor.byte", "float32", [0, 9], out="uint8"), lambda x: x + 1),
    "integers without overflow": (one("torch.square", "int8", [2, 9]), lambda x: x + 1),
    "small integers without overflow": (one("torch.square", "int64", [2, 9]), lambda x: x + 1),
    "a larger error than rounding": (amplified(), lambda x: x * (1 + 1e-2)),
    "gradients that are finite": (root(1), lambda x: x + 1),
}
"""Faults of the same shape."""


class Silent(unittest.TestCase):
    """Differences that must not be reported."""

    def test_classes(self) -> None:
        for name, (item, change) in CASES.items():
            with self.subTest(name):
                self.assertIn(verdict(item, change), ("ok", "rounding", "unspecified"))

    def test_faults_of_the_same_models(self) -> None:
        for name, (item, change) in FAULTS.items():
            with self.subTest(name):
                self.assertEqual(verdict(item, change), "inconsistency")

    def test_names(self) -> None:
        """An answer names the excuses of its case, and covers no element without one."""
        for name, (item, change) in CASES.items():
            wanted = {excuse for excuse in excuses.every() if name in cases_of(excuse)} - {"gradient-not-finite"}
            with self.subTest(name):
                self.assertLessEqual(wanted, judged(item, change).get("excuses", {}).keys())

    def test_indices(self) -> None:
        """Indices are compared where the element has no equal one along the axis, in rows, columns and windows."""
        window, order = (1, 1, 2, 2), ("torch.argsort", ["v0"], [tensor(1, [4, 8], "int64")])
        for item in (greatest("torch.max", "1"), greatest("torch.min", "0", out=(8,)), greatest("torch.median", "1"),
                     greatest("torch.kthvalue", "3", "1"), greatest("torch.sort", out=(4, 8)),
                     greatest("torch.cummax", "0", out=(4, 8)), greatest("torch.topk", "2", out=(4, 2)),
                     greatest("torch.nn.functional.adaptive_max_pool2d_with_indices", "2", shape=(1, 1, 4, 4), out=window),
                     chain([tensor(0, [4, 8], "float32")], order)):  # fmt: skip
            with self.subTest(item["nodes"][0]["api"]):
                self.assertEqual(verdict(item, torch.clone), "ok")
                self.assertEqual(verdict(item, other_index), "inconsistency")
                same = {**item, "inputs": [{**item["inputs"][0], "range": [2, 3]}]}
                self.assertEqual(verdict(same, other_index), "ok")

    def test_indices_beside_equal_elements(self) -> None:
        """One row has equal elements, the other has none."""
        operand, values = np.array([[3.0, 1, 3, 2], [5, 1, 4, 2]]), np.array([3.0, 5])
        self.assertEqual(among_equal(operand, np.array([0, 0]), values).tolist(), [True, False])
        self.assertEqual(among_equal(operand.T, np.array([2, 0]), values).tolist(), [True, False])
        self.assertIsNone(among_equal(operand, np.array([1, 0]), values))  # does not select the values
        self.assertIsNone(among_equal(operand, np.array([4, 0]), values))
        ordered = np.array([[1, 3, 0, 2], [1, 3, 2, 0]])
        self.assertEqual(among_equal(operand, ordered, None).tolist(), [[False, False, True, True], [False] * 4])

    def test_samples(self) -> None:
        """On request, an answer has an element of each excuse."""
        framework = Torch()
        framework.enter()
        module = ModuleType("target")
        module.compile = lambda subject, *_: lambda *inputs: [t + 7e-8 for t in subject(*inputs)]  # type: ignore[attr-defined]
        model = Reader(framework).model(one("torch.exp", "float32", [0, 3]))
        for sampling in (False, True):
            (answer,) = Tiers(framework, [Target("fake", module)], lambda *_: None, tolerance.MEASURED, sampling).run([model])
            sample = answer.get("samples", {}).get("below-the-floor")
            with self.subTest(sampling):
                self.assertEqual(sampling, sample is not None)
        got, want = float(sample["got"]), float(sample["want"])
        self.assertEqual((sample["tensor"], 0 < got - want < 1e-6), (1, True))

    def test_published_tolerance(self) -> None:
        """A published tolerance excuses what noise moves beyond it."""
        for change, wanted in ((CASES["unstable numerics"][1], "rounding"), (lambda x: x, "ok")):
            with self.subTest("a published tolerance"):
                answer = judged(tan_of_cosh(), change, preset="neuri")
                self.assertEqual((answer["verdict"], "published-tolerance" in answer.get("excuses", {})),
                                 (wanted, wanted == "rounding"))  # fmt: skip
        with self.subTest("beyond a published tolerance"):
            self.assertEqual(judged(amplified(), lambda x: x * 1.1 + 1, preset="neuri")["verdict"], "inconsistency")

    def test_infinity_instead_of_a_finite_value(self) -> None:
        self.assertEqual(verdict(one("torch.mul", "float32", [2, 9], "2e35"), lambda x: x * 1e9), "inconsistency")

    def test_integers_that_fit_are_exact(self) -> None:
        self.assertEqual(verdict(one("torch.square", "int8", [2, 9]), lambda x: x + 1), "inconsistency")
        self.assertEqual(verdict(one("torch.bitwise_not", "int8", [2, 9]), lambda x: x + 1), "inconsistency")
        self.assertEqual(verdict(one("torch.Tensor.byte", "float32", [0, 9], out="uint8"), lambda x: x + 1), "inconsistency")


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
