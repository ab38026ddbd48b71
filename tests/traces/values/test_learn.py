"""Classes of element values that operators accept and return. A toy framework computes with numpy."""

import json
import math
import tempfile
import unittest
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from rulefuzz.framework import Rejected, Unanswered
from traces.collect.call import arglist
from traces.collect.call.spec import Json, Values
from traces.collect.cli import values
from traces.collect.judge import guard
from traces.collect.values import classes, learn
from traces.collect.values.classes import ANY, FINITE, LARGE, POSITIVE, SMALL, UNIT, Seen

Function = Callable[..., Any]


class Toy:
    """A framework with one function of float32 or float16 or int64 arrays."""

    name, version = "toy", "1"

    def __init__(self, function: Function) -> None:
        self._function = function
        self.calls = 0

    def compile(self, api: str, args: Sequence[Json]) -> Sequence[Json]:
        """The arguments."""
        return args

    def run(self, call: Sequence[Json], symbols: Values, fill: str) -> tuple[Seen, ...]:
        """What the function returns."""
        self.calls += 1
        arrays, tokens = [], classes.tokens(fill)
        for place, tensor in enumerate(arglist.tensors(call), 1):
            dims = [symbols[int(s[1:])] for s in tensor["tensor"]]
            with np.errstate(all="ignore"):
                arrays.append(classes.elements(dims, tensor["dtype"], tokens[place - 1], place).astype(tensor["dtype"]))
        with np.errstate(all="ignore"):
            found = np.asarray(self._function(*arrays))
        return (classes.observe(found, found.shape, found.dtype.name),)

    def deterministic(self, call: Any, symbols: Values) -> bool:
        """Always."""
        return True


def record(inputs: int, *, dtypes: Sequence[str] = ("float32",), out: str = "same", **more: Json) -> Json:
    """An operator of `inputs` tensors of one shape and rank 1; its output has that shape or is a scalar."""
    args = [{"name": f"x{i}", "pos": True, "value": {"tensor": [f"s{i}"], "dtype": dtypes[0]}} for i in range(inputs)]
    passing = [[[n] * inputs, [n] if out == "same" else []] for n in (2, 7, 16, 40)]
    table = [[[dtype] * inputs, [dtype]] for dtype in dtypes]
    return {"op": "toy.f-0", "api": "toy.f", "args": args, "dtypes": table, "pass": passing, "fail": [], **more}


class Learning(unittest.TestCase):
    """learn.learn."""

    def learn(self, function: Function, **how: Any) -> str:
        """The learned classes as in the table."""
        found = learn.learn(Toy(function), record(**how), learn.Deaths())
        if isinstance(found, str):
            return found
        return " ".join(map(learn.letters, found[:2])) + (f" ({found[2]})" if found[2] else "")

    def test_copies_keep_classes(self) -> None:
        """Accepts any finite elements, and returns them unchanged."""
        self.assertEqual(self.learn(lambda x: x, inputs=1), "f upslff")
        self.assertEqual(self.learn(np.maximum, inputs=2), "ff upslff")

    def test_what_cannot_go_wrong_takes_anything(self) -> None:
        """NaN is kept, too."""
        self.assertEqual(self.learn(np.isnan, inputs=1), "a ssssss")

    def test_arithmetic_widens(self) -> None:
        """0.2 to 1.8; 10; 20,000."""
        self.assertEqual(self.learn(np.add, inputs=2), "fl pllfff")
        self.assertEqual(self.learn(np.multiply, inputs=2), "ll sllfff")

    def test_domains(self) -> None:
        """Logarithm, square root, arc sine, quotient, exponential."""
        self.assertEqual(self.learn(np.log, inputs=1), "p ssssss")
        self.assertEqual(self.learn(np.arcsin, inputs=1), "u pppppp")
        self.assertEqual(self.learn(np.divide, inputs=2), "lp lllfff")
        self.assertEqual(self.learn(np.exp, inputs=1), "s plllll")

    def test_never_finite(self) -> None:
        """The operator stays in use; only its outputs are unbounded."""
        self.assertEqual(self.learn(np.arccosh, inputs=1), "a aaaaaa (not finite)")

    def test_integers_at_the_edge_of_a_domain(self) -> None:
        """For integers UNIT contains only 1, where the inverse of tanh is infinite: floats keep their class."""
        self.assertEqual(self.learn(np.arctanh, inputs=1, dtypes=("float32", "int64")), "u aaaaaa (partly)")

    def test_growth_with_shapes_has_a_margin(self) -> None:
        """A sum of 40 elements of at most 5 is 200, of 10,000 more than LARGE; a mean keeps its class."""
        self.assertEqual(self.learn(np.sum, inputs=1, out="scalar"), "l lllfff")
        self.assertEqual(self.learn(np.mean, inputs=1, out="scalar"), "l upslll")

    def test_refusals(self) -> None:
        """A class that raises is not accepted; an operator that always raises, or raises on constant elements,
        accepts none."""

        def positive(x: Any) -> Any:
            if (x <= 0).any():
                raise Rejected("not positive")
            return np.minimum(x, 1)

        def different(x: Any) -> Any:
            if (x == x[0]).all():
                raise Rejected("singular")
            return x

        self.assertEqual(self.learn(positive, inputs=1), "p uppppp")
        self.assertEqual(self.learn(different, inputs=1), "- aaaaaa (raises)")
        self.assertEqual(self.learn(different, inputs=1, delicate=True), "delicate")

    def test_narrow_dtypes_cap(self) -> None:
        """float16 overflows beyond 65,504: that narrows the accepted class only below SMALL."""
        both = ("float32", "float16")
        self.assertEqual(self.learn(np.multiply, inputs=2, dtypes=both), self.learn(np.multiply, inputs=2))
        self.assertEqual(self.learn(lambda x: np.exp(x * 3), inputs=1), "s lfffff")
        self.assertEqual(self.learn(lambda x: np.exp(x * 3), inputs=1, dtypes=both), "u llllll")

    def test_other_dtypes_narrow(self) -> None:
        """A class on which integers raise is not accepted."""

        def modulo(x: Any, y: Any) -> Any:
            if y.dtype.kind == "i" and (y == 0).any():
                raise Rejected("division by zero")
            return np.minimum(x, 1)

        self.assertEqual(self.learn(modulo, inputs=2), "fa upslff")
        self.assertEqual(self.learn(modulo, inputs=2, dtypes=("float32", "int64")), "fp upslff")

    def test_other_shapes_are_no_success(self) -> None:
        """A call whose outputs have other dimensions than the record's."""
        self.assertEqual(self.learn(lambda x: x[:1], inputs=1), "- aaaaaa (raises)")

    def test_nothing_to_see(self) -> None:
        """Empty tensors give no evidence."""
        empty = record(1)
        empty["pass"] = [[[0], [0]]]
        self.assertEqual(learn.learn(Toy(lambda x: x), empty, learn.Deaths()), "always empty")

    def test_hangs_are_few(self) -> None:
        """After KILLED calls that hang, classes beyond SMALL are not tried."""
        hangs = 0

        def hanging(x: Any) -> Any:
            nonlocal hangs
            if not np.isfinite(x).all() or (np.abs(x) > 5).any():
                hangs += 1
                raise Unanswered(guard.KILLS)
            return x

        found = learn.learn(Toy(hanging), record(1, dtypes=("float32", "float64", "float16")), learn.Deaths())
        assert not isinstance(found, str)
        self.assertEqual(learn.letters(found[0]), "s")
        self.assertLessEqual(hangs, learn.KILLED)


class Drawing(unittest.TestCase):
    """Elements of a class."""

    def test_elements_are_of_their_class(self) -> None:
        """Of every dtype, class and mode."""
        for dtype in ("float16", "bfloat16", "float32", "float8e4m3fn", "complex64", "int8", "uint8", "int64", "bool"):
            for kind in range(ANY):
                for mode in classes.MODES:
                    seen = classes.observe(classes.elements((999,), dtype, f"{kind}{mode}", 1), (999,), dtype)
                    self.assertTrue(classes.within(seen.low, seen.high, kind, dtype), (dtype, kind, mode))

    def test_random_ones_hold_the_ends(self) -> None:
        """And zeros if the class has them; ANY contains NaN and infinities."""
        small = classes.elements((999,), "float32", f"{SMALL}r0", 1)
        self.assertTrue({-5.0, 5.0, 0.0, 1.0, -1.0} <= set(small.tolist()))
        drawn = classes.elements((999,), "float32", f"{ANY}r0", 1)
        self.assertTrue(np.isnan(drawn).any() and np.isposinf(drawn).any() and np.isneginf(drawn).any())
        parts = classes.elements((999,), "complex64", f"{ANY}r0", 1)
        self.assertTrue((np.isinf(parts.real) & np.isfinite(parts.imag)).any())

    def test_two_inputs_differ(self) -> None:
        """By their place."""
        first, second = (classes.elements((40,), "float32", f"{SMALL}r0", place) for place in (1, 2))
        self.assertFalse((first == second).all())

    def test_chain(self) -> None:
        """Each class contains the previous ones."""
        for dtype in ("float32", "int64", "uint8", "bool"):
            for kind in range(UNIT, ANY):
                self.assertTrue(classes.within(*classes.interval(kind, dtype), kind + 1, dtype))
        self.assertFalse(classes.within(0.05, 0.5, UNIT, "float32"))
        self.assertFalse(classes.within(0.0, 4.0, POSITIVE, "float32"))
        self.assertFalse(classes.within(-2e4, 0.0, LARGE, "float32"))
        self.assertTrue(classes.within(-math.inf, 0.0, FINITE, "float32") is False)


class Table(unittest.TestCase):
    """VALUES.tsv."""

    def test_rows_of_other_apis_stay(self) -> None:
        """The rows of other APIs stay, unless the whole table is written; rows are sorted."""
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "VALUES.tsv"
            values.publish(path, {"b.f": [["b.f-0", "f", "upslff", ""]], "a.f": [["a.f-0", ".", "llllll", ""]]}, whole=True)
            self.assertEqual(path.read_text(), "op\taccepts\tgives\na.f-0\t.\tllllll\nb.f-0\tf\tupslff\n")
            values.publish(path, {"b.f": [["b.f-1", "s", "upslff", ""]]}, whole=False)
            self.assertEqual(path.read_text(), "op\taccepts\tgives\na.f-0\t.\tllllll\nb.f-1\ts\tupslff\n")

    def test_random_and_held_operators_have_no_row(self) -> None:
        """No model contains these operators."""
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "toy.f.jsonl"
            held = record(1)
            held["args"][0]["value"]["held"] = "variable"
            lines = [record(1), record(1, random=True), held]
            path.write_text("".join(json.dumps(line, separators=(",", ":")) + "\n" for line in lines))
            answer = learn.work_on(Toy(lambda x: x), path)
            self.assertEqual([row[:3] for row in answer["rows"]], [["toy.f-0", "f", "upslff"]])
            self.assertEqual(answer["notes"]["random or held"], 2)

    def test_random_operators_have_a_row_where_models_are_files(self) -> None:
        """Models contain these operators."""
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "toy.f.jsonl"
            path.write_text(json.dumps(record(1, random=True)) + "\n")
            toy = Toy(lambda x: x)
            toy.name = "onnx"
            self.assertEqual([row[:3] for row in learn.work_on(toy, path)["rows"]], [["toy.f-0", "f", "upslff"]])


if __name__ == "__main__":
    unittest.main()
