"""Cases of the excuses for TensorFlow: models with an excused difference. The other results of the
same call are still compared."""

from __future__ import annotations

import importlib.util
import json
import unittest
from types import ModuleType
from typing import Any

if importlib.util.find_spec("tensorflow") is None:
    raise unittest.SkipTest("no tensorflow")

import numpy as np

from rulefuzz import framework, sandbox, targets
from rulefuzz.model import Json, Reader
from rulefuzz.oracle import excuses
from rulefuzz.oracle.check import Check, Clock
from rulefuzz.targets import Target
from tests.python.excuses import cases_of


def tensor(i: int, *shape: int) -> Json:
    """A tensor as a model declares it."""
    return {"id": i, "shape": list(shape), "dtype": "float32"}


def norm() -> Json:
    """FusedBatchNormV3 of four images with three channels. Its results are tensors 5 and up."""
    names = ("x", "scale", "offset", "mean", "variance")
    args = [{"name": name, "pos": False, "value": {"ref": i}} for i, name in enumerate(names)]
    channels = [tensor(i, 3) for i in range(1, 5)]
    made = [tensor(5, 4, 2, 2, 3), *(tensor(i, 3) for i in range(6, 10)), tensor(10)]
    args.append({"name": "is_training", "pos": False, "value": {"const": "False"}})
    node = {"api": "tf.raw_ops.FusedBatchNormV3", "args": args, "outputs": made}
    return {"values": 5, "inputs": [tensor(0, 4, 2, 2, 3), *channels], "nodes": [node], "outputs": [t["id"] for t in made]}


def about(api: str) -> Json:
    """The two largest of nine elements (tensors 1 and 2) by this API, exact or approximate, and the negated elements."""
    made = [tensor(1, 2), {**tensor(2, 2), "dtype": "int32"}, tensor(3, 9)]
    args = [{"name": "input", "pos": False, "value": {"ref": 0}}, {"name": "k", "pos": False, "value": {"const": "2"}}]
    minus = [{"name": "x", "pos": False, "value": {"ref": 0}}]
    nodes = [{"api": api, "args": args, "outputs": made[:2]}, {"api": "tf.raw_ops.Neg", "args": minus, "outputs": made[2:]}]
    return {"values": 5, "inputs": [tensor(0, 9)], "nodes": nodes, "outputs": [1, 2, 3]}


def shuffled() -> Json:
    """Shuffled elements (tensor 1), and the negated elements."""
    args = [{"name": "value", "pos": False, "value": {"ref": 0}}]
    args += [{"name": name, "pos": False, "value": {"const": text}} for name, text in (("seed", "1"), ("seed2", "0"))]
    minus = [{"name": "x", "pos": False, "value": {"ref": 0}}]
    nodes = [{"api": "tf.raw_ops.RandomShuffle", "args": args, "outputs": [tensor(1, 9)]},
             {"api": "tf.raw_ops.Neg", "args": minus, "outputs": [tensor(2, 9)]}]  # fmt: skip
    return {"values": 5, "inputs": [tensor(0, 9)], "nodes": nodes, "outputs": [1, 2]}


def kink() -> Json:
    """A gradient where some outputs are 0 (tensor 2), and the negated elements."""
    relu = [{"name": "features", "pos": False, "value": {"ref": 0}}]
    grad = [{"name": name, "pos": False, "value": {"ref": i}} for i, name in enumerate(("gradients", "outputs"))]
    minus = [{"name": "x", "pos": False, "value": {"ref": 0}}]
    nodes = [{"api": f"tf.raw_ops.{api}", "args": args, "outputs": [tensor(i, 9)]}
             for i, (api, args) in enumerate((("Relu", relu), ("SeluGrad", grad), ("Neg", minus)), 1)]  # fmt: skip
    return {"values": 5, "inputs": [tensor(0, 9)], "nodes": nodes, "outputs": [2, 3]}


def decomposed(rows: int, columns: int, *outputs: int) -> Json:
    """The singular values of a matrix (tensor 1), the full singular vectors of both sides, and the left ones negated
    (tensor 4)."""
    told = [("input", {"ref": 0}), ("compute_uv", {"const": "True"}), ("full_matrices", {"const": "True"})]
    args = [{"name": name, "pos": False, "value": value} for name, value in told]
    made = [tensor(1, min(rows, columns)), tensor(2, rows, rows), tensor(3, columns, columns)]
    minus = [{"name": "x", "pos": False, "value": {"ref": 2}}]
    nodes = [{"api": "tf.raw_ops.Svd", "args": args, "outputs": made},
             {"api": "tf.raw_ops.Neg", "args": minus, "outputs": [tensor(4, rows, rows)]}]  # fmt: skip
    return {"values": 5, "inputs": [tensor(0, rows, columns)], "nodes": nodes, "outputs": list(outputs)}


def called(api: str, inputs: list[Json], made: Json, *told: tuple[str, Any]) -> Json:
    """A model of one call whose arguments are tensor ids or constants; beside it the last input added to itself."""
    last = inputs[-1]
    args = [{"name": name, "pos": False, "value": {"ref": value} if isinstance(value, int) else value} for name, value in told]
    twice = [{"name": name, "pos": False, "value": {"ref": last["id"]}} for name in ("x", "y")]
    nodes = [{"api": f"tf.raw_ops.{api}", "args": args, "outputs": [made]},
             {"api": "tf.raw_ops.AddV2", "args": twice, "outputs": [{**last, "id": 9, "range": None}]}]  # fmt: skip
    for node in nodes:
        node["outputs"] = [{k: v for k, v in out.items() if v is not None} for out in node["outputs"]]
    return {"values": 5, "inputs": inputs, "nodes": nodes, "outputs": [made["id"], 9]}


def of(dtype: str, *shape: int, i: int = 0, span: list[int] | None = None) -> Json:
    """A tensor of this dtype; `span` is the range of its integers."""
    return {"id": i, "shape": list(shape), "dtype": dtype, **({"range": span} if span else {})}


def mean(dtype: str, count: int, span: list[int]) -> Json:
    """The mean of `count` integers."""
    axis = {"elements": [{"const": "0"}], "dtype": "int32"}
    inputs = [of(dtype, count, span=span), of(dtype, 3, i=1, span=[1, 3])]
    return called("Mean", inputs, of(dtype, i=2), ("input", 0), ("axis", axis))


def behind(before: Json, item: Json, taken: int) -> Json:
    """The model with a call `before` that computes the input `taken`."""
    made = next(t for t in item["inputs"] if t["id"] == taken)
    inputs = [{**made, "id": 7}, *(t for t in item["inputs"] if t["id"] != taken)]
    return {**item, "inputs": inputs, "nodes": [{**before, "outputs": [made]}, *item["nodes"]]}


def of_equals(of_these: list[float]) -> Json:
    """The max-pool gradient (tensor 2) of the windows [1, 1] and [2, 1], for two incoming gradients."""
    item = called("MaxPool3DGrad", [of("float32", 1, 1, 1, 4, 1, i=3), of("float32", 1, 1, 1, 2, 1)],
                  of("float32", 1, 1, 1, 4, 1, i=2), ("orig_input", 3), ("orig_output", 1), ("grad", 0))  # fmt: skip
    options = [{"name": name, "pos": False, "value": {"const": text}} for name, text in (
        ("ksize", "[1, 1, 1, 2, 1]"), ("strides", "[1, 1, 1, 2, 1]"), ("padding", "'VALID'"))]  # fmt: skip
    item["nodes"][0]["args"] += options

    def shaped(numbers: list[float], places: list[int], made: Json) -> list[Json]:
        told = [{"const": str(float(n))} for n in numbers]
        args = [{"name": name, "pos": False, "value": value} for name, value in (
            ("tensor", {"elements": told, "dtype": "float32"}), ("shape", {"elements": [{"const": str(n)} for n in places],
                                                                           "dtype": "int64"}))]  # fmt: skip
        return [{"api": "tf.raw_ops.Reshape", "args": args, "outputs": [made]}]

    given = [*shaped([1, 1, 2, 1], [1, 1, 1, 4, 1], item["inputs"][0]), *shaped(of_these, [1, 1, 1, 2, 1], item["inputs"][1])]
    pool = {"api": "tf.raw_ops.MaxPool3D", "args": [{"name": "input", "pos": False, "value": {"ref": 3}}, *options],
            "outputs": [of("float32", 1, 1, 1, 2, 1, i=1)]}  # fmt: skip
    spare = [{**tensor(7, 9), "range": [1, 9]}]
    return {**item, "inputs": spare, "nodes": [*given, pool, *item["nodes"]], "outputs": [2]}


BEYOND = called("Pow", [of("int32", 9, span=[80, 90]), of("int32", 9, i=1, span=[20, 30])], of("int32", 9, i=2),
                ("x", 0), ("y", 1))  # fmt: skip
LOG = {"api": "tf.raw_ops.Log", "args": [{"name": "x", "pos": False, "value": {"ref": 7}}]}
MASKED = behind(LOG, called("ReluGrad", [of("float32", 9, span=[-1, 1]), of("float32", 9, i=1)], of("float32", 9, i=2),
                            ("gradients", 0), ("features", 1)), 0)  # fmt: skip
"""A ReluGrad of minus infinity and NaN."""
ENDLESS = behind(LOG, called("Square", [of("complex64", 9, i=3), of("float32", 9, i=1)], of("complex64", 9, i=2), ("x", 3)), 3)
ENDLESS["nodes"].insert(0, {"api": "tf.raw_ops.ZerosLike", "outputs": [of("complex64", 9, i=7)],
                            "args": [{"name": "x", "pos": False, "value": {"ref": 0}}]})  # fmt: skip
ENDLESS["inputs"][0] = {**ENDLESS["inputs"][0], "id": 0}
"""The square of the logarithm of a complex 0."""
UNSOLVED = called("MatrixTriangularSolve", [of("float32", 3, 3, span=[0, 1]), of("float32", 3, 2, i=1)],
                  of("float32", 3, 2, i=2), ("matrix", 0), ("rhs", 1))  # fmt: skip
"""A linear system with a matrix of zeros."""
ZEROS = called("TopKV2", [of("float32", 9), of("float32", 9, i=1)], of("float32", 2, i=2), ("input", 3),
               ("k", {"const": "2"}))  # fmt: skip
ZEROS["nodes"][0]["outputs"].append(of("int32", 2, i=4))
ZEROS["nodes"].insert(0, {"api": "tf.raw_ops.Mul", "outputs": [of("float32", 9, i=3)], "args": [
    {"name": "x", "pos": False, "value": {"ref": 0}},
    {"name": "y", "pos": False, "value": {"elements": [{"const": "0.0"}] * 9, "dtype": "float32"}}]})  # fmt: skip
"""The two largest among 0 and -0."""


def taking(kept: int) -> Json:
    """The batch norm with one of its results, `kept`, negated."""
    item = norm()
    made = {**item["nodes"][0]["outputs"][kept - 5], "id": 11}
    minus = [{"name": "x", "pos": False, "value": {"ref": kept}}]
    nodes = [*item["nodes"], {"api": "tf.raw_ops.Neg", "args": minus, "outputs": [made]}]
    return {**item, "nodes": nodes, "outputs": [11]}


CASES: dict[str, tuple[Json, int, int]] = {
    "values reserved for the gradient": (norm(), 10, 5),
    "a gradient with two values": (kink(), 2, 3),
    "approximate maxima": (about("tf.raw_ops.ApproxTopK"), 1, 3),
    "stateful random operators": (shuffled(), 1, 2),
    "mean of no integers": (mean("int32", 0, [1, 9]), 2, 9),
    "mean of integers with an overflowing sum": (mean("int8", 40, [90, 99]), 2, 9),
    "integer overflow": (BEYOND, 2, 9),
    "NaN in a gradient": (MASKED, 2, 9),
    "infinite complex numbers": (ENDLESS, 2, 9),
    "singular linear systems": (UNSOLVED, 2, 9),
    "order of 0 and −0": (ZEROS, 2, 9),
    "vectors of repeated values": (decomposed(4, 2, 1, 2, 3), 2, 3),
}
"""For each row of the table: a model, an output that may be wrong, and one that may not."""
GREATEST = "max-pool gradients with tied maxima"
"""The case for which only some elements are unspecified."""


def verdict(item: Json, wrong: int, refuses: bool = False, gives: list[float] | None = None) -> str:
    """The verdict on a target that returns this output with another shape or these elements, or rejects the model."""
    adapter = framework.load("tensorflow")
    module = ModuleType("target")

    def compile_wrongly(subject: Any, example: Any, stage: Any) -> Any:
        stage("run")
        if refuses:
            raise ValueError("not so")

        def instead(right: Any) -> Any:
            if gives is None:
                return adapter.elements([0.0] * 7, "float32")
            _, shape, dtype, array = adapter.seen(right)
            return adapter.tensor(np.array(gives, array.dtype).reshape(shape), dtype)

        return lambda *inputs: [instead(tensor) if i == wrong else tensor
                                for i, tensor in zip(item["outputs"], subject(*inputs), strict=True)]  # fmt: skip

    module.compile = compile_wrongly  # type: ignore[attr-defined]
    adapter.enter()
    check = Check(adapter, Target("fake", module), Reader(adapter).model(item), Clock(lambda stage: None))
    answer = check.run()
    NAMED.update(answer.get("excuses", {}))
    return str(answer["verdict"])


NAMED: set[str] = set()
"""The excuses of all answers."""


class Silent(unittest.TestCase):
    """Excused differences, and faults beside them."""

    def test_differences(self) -> None:
        def work() -> tuple[dict[str, list[str]], list[str]]:
            found = {name: [verdict(item, -1), verdict(item, silent), verdict(item, loud)]
                     for name, (item, silent, loud) in CASES.items()}  # fmt: skip
            return found, sorted(NAMED)

        (found, named), end = sandbox.call(work, sandbox.Limits(wall=280), output="")
        self.assertEqual(end.how, "")
        self.assertEqual(found, {name: ["ok", "ok", "inconsistency"] for name in CASES})
        wanted = {excuse for excuse in excuses.every() if CASES.keys() & cases_of(excuse)}
        self.assertEqual(wanted - set(named), set())

    def test_max_pool_gradient_of_ties(self) -> None:
        """A window of equal elements and one with the maximum 2: the first gradient may go to either element or to
        both, the second only to the maximum."""

        def work() -> list[bool]:
            found = []
            for a, b in ((3.0, 5.0), (3.3, 5.7)):
                told = ([a, 0, b, 0], [0, a, b, 0], [a, a, b, 0], [a, 0, 0, 0], [a, 0, 0, b], [a, 0, b, b], [a, 0, 4, 0])
                found += [verdict(of_equals([a, b]), 2, gives=gives) != "inconsistency" for gives in told]
            return found

        found, end = sandbox.call(work, sandbox.Limits(wall=280), output="")
        self.assertEqual((found, end.how), (([True] * 3 + [False] * 4) * 2, ""))

    def test_integers_that_wrap_around(self) -> None:
        """TensorFlow's compilers define integer arithmetic modulo 2^n, so that a product of int8 is compared."""
        product = called("Mul", [of("int8", 9, span=[20, 90]), of("int8", 9, i=1, span=[20, 90])], of("int8", 9, i=2),
                         ("x", 0), ("y", 1))  # fmt: skip

        def work() -> list[str]:
            return [verdict(product, -1), verdict(product, 2, gives=[127.0] * 9)]

        found, end = sandbox.call(work, sandbox.Limits(wall=280), output="")
        self.assertEqual((found, end.how), (["ok", "inconsistency"], ""))

    def test_calls_on_reserved_values(self) -> None:
        """Values reserved for the gradient have any shape, so that a call on them may reject it."""

        def work() -> list[str]:
            return [verdict(taking(kept), -1, True) for kept in (10, 6)]

        found, end = sandbox.call(work, sandbox.Limits(wall=280), output="")
        self.assertEqual(end.how, "")
        self.assertEqual(found, ["unspecified", "error"])

    def test_stitch_with_missing_indices(self) -> None:
        """XLA rejects a DynamicStitch with missing indices, whose rows are uninitialized memory."""

        def stitched(last: int) -> Json:
            told = [{"elements": [0, last], "dtype": "int32"}]
            given: list[tuple[str, list[Json]]] = [("indices", told), ("data", [{"ref": 0}])]
            args = [{"name": name, "pos": False, "value": value} for name, value in given]
            node = {"api": "tf.raw_ops.DynamicStitch", "args": args, "outputs": [tensor(1, last + 1)]}
            return {"values": 5, "inputs": [tensor(0, 2)], "nodes": [node], "outputs": [1]}

        def work() -> list[str]:
            adapter, xla = framework.load("tensorflow"), targets.load("tensorflow-xla")
            adapter.enter()
            models = [Reader(adapter).model(stitched(last)) for last in (1, 2)]
            return [str(Check(adapter, xla, model, Clock(lambda stage: None)).run()["verdict"]) for model in models]

        found, end = sandbox.call(work, sandbox.Limits(wall=280), output="")
        self.assertEqual(end.how, "")
        self.assertEqual(found, ["ok", "unsupported"])

    def test_singular_vectors_with_another_sign(self) -> None:
        """Results computed from the vectors change too. Other elements, or another sign of the values, are findings."""

        def said(outputs: tuple[int, ...], change: Any) -> str:
            adapter, turning = framework.load("tensorflow"), ModuleType("turning")
            adapter.enter()
            turned = {"compile": lambda subject, *_: lambda *inputs: change(subject(*inputs))}
            vars(turning).update({"FRAMEWORK": "tensorflow", "REQUIRES": (), **turned})
            model = Reader(adapter).model(decomposed(3, 3, *outputs))
            return str(Check(adapter, Target("turning", turning), model, Clock(lambda stage: None)).run()["verdict"])

        def work() -> list[str]:
            signs = [1.0, -1.0, -1.0]
            return [said((1, 2, 3, 4), lambda got: [got[0], got[1] * signs, got[2] * signs, got[3] * signs]),
                    said((2, 3), lambda got: [got[0] * signs, got[1] + [0.0, 0.0, 0.01]]),
                    said((1, 2), lambda got: [got[0] * signs, got[1]]),
                    said((1, 2), lambda got: [got[0], got[1][:2]])]  # fmt: skip

        found, end = sandbox.call(work, sandbox.Limits(wall=280), output="")
        self.assertEqual(end.how, "")
        self.assertEqual(found, ["ok", "inconsistency", "inconsistency", "inconsistency"])

    def test_iterative_singular_vectors(self) -> None:
        """XLA's singular vectors have errors of 3e-7 in float64, its singular values of 1e-12."""

        def work() -> set[str]:
            adapter, xla = framework.load("tensorflow"), targets.load("tensorflow-xla")
            adapter.enter()
            text = json.dumps({**decomposed(8, 4, 1, 3), "inputs": [tensor(0, 8, 4)]}).replace("float32", "float64")
            models = [Reader(adapter).model({**json.loads(text), "values": values}) for values in range(1, 9)]
            return {str(Check(adapter, xla, model, Clock(lambda stage: None)).run()["verdict"]) for model in models}

        found, end = sandbox.call(work, sandbox.Limits(wall=280), output="")
        self.assertEqual(end.how, "")
        self.assertEqual(found - {"ok", "rounding"}, set())

    def test_data_dependent_sizes(self) -> None:
        """XLA documents that it rejects calls on sizes that it cannot infer. Other models are compiled; any other
        rejection is an error."""

        def found_in(*classes: int) -> Json:
            numbers = {"elements": list(classes), "dtype": "int32"}
            unique = [{"name": "x", "pos": False, "value": numbers}]
            given = [("predictions", {"ref": 0}), ("targets", {"ref": 1}), ("k", {"ref": 3})]
            args = [{"name": name, "pos": False, "value": value} for name, value in given]
            count = len(set(classes))
            made = [{**tensor(i, n), "dtype": "int32"} for i, n in ((1, count), (2, len(classes)))]
            found = [{**tensor(4, count), "dtype": "bool"}]
            nodes = [{"api": "tf.raw_ops.Unique", "args": unique, "outputs": made},
                     {"api": "tf.raw_ops.InTopKV2", "args": args, "outputs": found}]  # fmt: skip
            inputs = [tensor(0, count, 6), {**tensor(3), "dtype": "int32", "range": [1, 2]}]
            return {"values": 5, "inputs": inputs, "nodes": nodes, "outputs": [4]}

        def work() -> list[str]:
            adapter, xla = framework.load("tensorflow"), targets.load("tensorflow-xla")
            adapter.enter()
            models = [Reader(adapter).model(found_in(*classes)) for classes in ((2, 4, 5), (2, 4, 2))]
            return [str(Check(adapter, xla, model, Clock(lambda stage: None)).run()["verdict"]) for model in models]

        found, end = sandbox.call(work, sandbox.Limits(wall=280), output="")
        self.assertEqual(end.how, "")
        self.assertEqual(found, ["ok", "unsupported"])

    def test_random_algorithm_of_compilers_only(self) -> None:
        """Algorithm 2 exists only in compilers, which makes the model unsupported; a negative count is invalid."""

        def drawn(algorithm: int, count: int) -> Json:
            told: list[tuple[str, Json]] = [("key", {"ref": 0}), ("counter", {"ref": 1})]
            told += [("shape", {"elements": [count], "dtype": "int32"}), ("alg", {"elements": algorithm, "dtype": "int32"})]
            args = [{"name": name, "pos": False, "value": value} for name, value in told]
            node = {"api": "tf.raw_ops.StatelessRandomNormalV2", "args": args, "outputs": [tensor(2, 3)]}
            taken = [{**tensor(i, i + 1), "dtype": "uint64", "range": [1, 2]} for i in (0, 1)]
            return {"values": 5, "inputs": taken, "nodes": [node], "outputs": [2], "near_miss": True}

        def work() -> list[str]:
            import tensorflow as tf

            adapter, lax = framework.load("tensorflow"), ModuleType("lax")
            adapter.enter()
            vars(lax).update({"FRAMEWORK": "tensorflow", "REQUIRES": (), "compile": lambda *_: lambda *inputs: [tf.zeros(3)]})
            models = [Reader(adapter).model(drawn(*told)) for told in ((2, 3), (1, -3))]
            return [str(Check(adapter, Target("lax", lax), m, Clock(lambda stage: None)).run()["verdict"]) for m in models]

        found, end = sandbox.call(work, sandbox.Limits(wall=280), output="")
        self.assertEqual(end.how, "")
        self.assertEqual(found, ["unspecified", "accepts-invalid"])


if __name__ == "__main__":
    unittest.main()
