"""Calls as text: accepted texts, rejected texts with the position of the error, and the calls they give."""

import random
import unittest
from typing import Any

from traces.collect.call.spec import Elements, Literal, TensorSpec
from traces.collect.call.symbolise import symbolise
from traces.collect.user_ops import forms, notation
from traces.collect.user_ops.notation import BadCall
from traces.collect.user_ops.places import Place, placed, places


class Notation(unittest.TestCase):
    def test_values(self) -> None:
        name, arguments = notation.read(
            "a.f(x: f32[2, 3], i: int64[4] in 0..2, l=[f64[], bf16[0]], s=i32([1, [2]]), n=-4, h=.5, b=True, o=None, "
            "t='no, not', d=torch.float32, m=-inf, e=[])"
        )
        self.assertEqual(name, "a.f")
        wanted: dict[str, Any] = {
            "x": TensorSpec((2, 3), "float32"), "i": TensorSpec((4,), "int64", range=(0, 3)),
            "l": [TensorSpec((), "float64"), TensorSpec((0,), "bfloat16")], "s": Elements([1, [2]], "int32"), "n": -4, "h": 0.5,
            "b": True, "o": None, "t": "no, not", "d": Literal("torch.float32"), "m": float("-inf"), "e": [],
        }  # fmt: skip
        self.assertEqual(dict(arguments), wanted)

    def test_symbols_stand_as_in_records(self) -> None:
        _, arguments = notation.read("f(x: i64[3] in 1..2, n=[4, 5], axis=1)")
        call = symbolise("m.f", [(name, False, value) for name, value in arguments])
        self.assertEqual(call.values, (3, 1, 3, 4, 5))
        self.assertEqual(call.args[0]["value"], {"tensor": ["s0"], "dtype": "int64", "range": ["s1", "s2"]})
        self.assertEqual(call.args[2]["value"], {"const": "1"})

    def test_bad_ones_say_where(self) -> None:
        for text, why in {
            "f": "'(' expected, not 'the end'", "f(x)": "':' or '=' expected", "f(x=1, x=2)": "x stands twice",
            "f(x: f32[-1])": "a dimension of -1", "f(x: f32[a])": "a whole number expected",
            "f(x: f32[2] in 0..1)": "no range", "f(x=__import__('os'))": "a value expected",
            "f(x=1) g": "behind the call", "f(x=1;)": "unexpected ';'", "f(x=" + "[" * 20: "too many brackets",
            "f(x=1 y=2)": "',' expected", "": "expected a name",
        }.items():  # fmt: skip
            with self.subTest(text), self.assertRaisesRegex(BadCall, "column [0-9]+: "):
                try:
                    notation.read(text)
                except BadCall as error:
                    self.assertIn(why, str(error))
                    raise


class Forms(unittest.TestCase):
    def test_others(self) -> None:
        known = [Place("x", "Tensor", False), Place("flag", "bool", True), Place("h", "float", True)]
        told = [("x", TensorSpec((2,), "float32")), ("flag", True), ("h", 0.5)]
        made = [dict(call) for call in forms.others(told, known)]
        self.assertEqual(made[0], dict(told))
        self.assertIn({"x": told[0][1], "flag": False, "h": 0.5}, made)
        self.assertIn({"x": told[0][1]}, made)
        self.assertEqual({call.get("h") for call in made}, {None, *forms.FLOATS})

    def test_what_has_no_name_stands_first_in_order(self) -> None:
        """An omitted argument between others has its default; after the last one it is absent."""
        known = [Place("x", "Tensor", False, True), Place("y", "Tensor", True, True), Place("z", "Tensor", True, True),
                 Place("w", "Tensor", True, True), Place("n", "int", True)]  # fmt: skip
        told = [("n", 3), ("z", 2), ("x", 1)]
        self.assertEqual(placed(told, known), [("x", True, 1), ("y", True, None), ("z", True, 2), ("n", False, 3)])
        self.assertEqual(placed([("n", 3), ("x", 1)], known), [("x", True, 1), ("n", False, 3)])
        self.assertEqual(placed([("b", 1), ("a", 2)], None), [("b", True, 1), ("a", True, 2)])

    def test_guesses_keep_to_the_types(self) -> None:
        def function(x, n: int, sizes: list[int], flag: bool = False, *, scale: float = 1.0):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN202
            pass

        known = places(function)
        assert known is not None
        made = forms.guesses(known, random.Random(1))
        calls = [dict(next(made)) for _ in range(200)]
        self.assertEqual({len(call["x"].dims) for call in calls} - {0, 1, 2, 3, 4, 5}, set())
        self.assertTrue(all(type(call["n"]) is int and isinstance(call["sizes"], list) for call in calls))
        self.assertTrue(any("flag" in call for call in calls) and any("flag" not in call for call in calls))

    def test_a_type_that_says_nothing(self) -> None:
        with self.assertRaisesRegex(KeyError, "y: Session"):
            next(forms.guesses([Place("y", "Session", False)], random.Random(1)))


if __name__ == "__main__":
    unittest.main()
