"""Calls become operators: numbering of symbols, constants, and which calls share an operator."""

import unittest

from traces.collect.call import arglist, spec, symbolise
from traces.collect.call.ranks import variants
from traces.collect.call.spec import Literal, TensorSpec, Unsupported
from traces.collect.call.symbolise import concrete


def call(*arguments: tuple[str, object], api: str = "torch.f", fixed: frozenset[str] = frozenset()) -> spec.Call:
    """A call whose arguments are all positional."""
    return symbolise.symbolise(api, [(name, True, value) for name, value in arguments], fixed)


class Symbolise(unittest.TestCase):
    """symbolise.symbolise."""

    def test_numbers_in_argument_order(self) -> None:
        """Tensors' dimensions first to last, then the integers in order."""
        made = call(("x", TensorSpec((2, 3), "float32")), ("k", [4, 5]), ("y", TensorSpec((6,), "bool")))
        values = [arg["value"] for arg in made.args]
        self.assertEqual(values[0], {"tensor": ["s0", "s1"], "dtype": "float32"})
        self.assertEqual(values[1], ["s2", "s3"])
        self.assertEqual(values[2]["tensor"], ["s4"])
        self.assertEqual(made.values, (2, 3, 4, 5, 6))

    def test_fixes_dimension_indices(self) -> None:
        """dim and similar names stay constants, also in lists."""
        for name in ("dim", "dims", "dim1", "start_dim", "axis", "axes", "dimension"):
            self.assertEqual(call((name, [0, -1])).args[0]["value"], [{"const": "0"}, {"const": "-1"}], name)
        for name in ("size", "embed_dim_to_check", "dimensions", "kdim", "shape"):
            self.assertEqual(call((name, 7)).args[0]["value"], "s0", name)
        self.assertEqual(call(("source", 1), fixed=frozenset({"source"})).values, ())

    def test_fixes_what_is_no_integer(self) -> None:
        """bool is not int; text, None and dtypes are constants; floats keep the recorded value."""
        made = call(("a", True), ("b", None), ("c", "mean"), ("d", Literal("torch.int64")), ("e", 0.5), ("f", 1 + 2j))
        texts = [arg["value"]["const"] for arg in made.args]
        self.assertEqual(texts, ["True", "None", "'mean'", "torch.int64", "0.5", "(1+2j)"])
        self.assertEqual(made.args[4]["value"]["seen"], ["0.5"])

    def test_refuses_functions(self) -> None:
        """A value that cannot be recorded is an error, not a constant."""
        with self.assertRaises(Unsupported):
            call(("f", len))

    def test_signature_ignores_values_floats_dtypes(self) -> None:
        """Floats do not split operators; ranks, constants and keywords do."""
        one = call(("x", TensorSpec((2,), "float32")), ("p", 0.5))
        two = call(("x", TensorSpec((9,), "int64")), ("p", 0.7))
        three = call(("x", TensorSpec((9, 1), "int64")), ("p", 0.7))
        self.assertEqual(arglist.signature(one.args), arglist.signature(two.args))
        self.assertNotEqual(arglist.signature(one.args), arglist.signature(three.args))
        self.assertNotEqual(arglist.signature(one.args, True), arglist.signature(two.args, True))


class Ranks(unittest.TestCase):
    """ranks.concrete and ranks.variants."""

    def test_concrete_undoes_symbolise(self) -> None:
        """Symbolizing the concrete arguments gives the same call."""
        made = call(("x", TensorSpec((2, 3), "float32")), ("dim", 1), ("k", [4, 5]), ("p", 0.5))
        again = symbolise.symbolise(made.api, concrete(made.args, made.values))
        self.assertEqual((again.args, again.values), (made.args, made.values))

    def test_variants_are_new_and_stable(self) -> None:
        """Each variant has a structure that no given call has; equal on both runs."""
        made = [call(("x", TensorSpec((2, 3), "float32")), ("y", TensorSpec((2, 3), "float32")), ("k", [4, 5]))]
        given = {arglist.signature(c.args) for c in made}
        found = variants(made)
        self.assertTrue(found)
        self.assertFalse(given & {arglist.signature(c.args) for c in found})
        self.assertEqual(found, variants(made))


if __name__ == "__main__":
    unittest.main()
