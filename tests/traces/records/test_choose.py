"""Which operators of an API are kept."""

import unittest
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from traces.collect.call.ranks import SOURCE as RANKS
from traces.collect.call.spec import Elements, Literal, TensorSpec
from traces.collect.call.symbolise import symbolise
from traces.collect.records.choose import LEFT_TO_VARY, _plainness, choose
from traces.collect.records.filter import Operator


def operator(ranks: Sequence[int], mode: str = "", samples: int = 1, source: str = "nodes") -> Operator:
    """An operator with tensors of these ranks and possibly an attribute."""
    arguments: list[tuple[str, bool, Any]]
    arguments = [(f"x{i}", True, TensorSpec((2,) * rank, "float32")) for i, rank in enumerate(ranks)]
    if mode:
        arguments.append(("mode", False, Literal(repr(mode))))
    call = symbolise("onnx.Any", arguments)
    return Operator("onnx.Any", call.args, ((ranks[0], "float32"),), [call.values], sources={source}, samples=samples)


class Choose(unittest.TestCase):
    """filter.choose."""

    modes = tuple(operator([2], mode, samples=9) for mode in "abcdef")
    ranks = tuple(operator([rank] * degree, source=RANKS) for rank in range(1, 6) for degree in (1, 2))
    mixed = tuple(operator([5, rank], source=RANKS) for rank in range(1, 5))

    def test_plain(self) -> None:
        """The operator with the most samples comes first."""
        chosen = choose([*self.ranks, *self.modes], 1)
        self.assertEqual(chosen, list(self.modes[:1]))

    def test_spread(self) -> None:
        """Each rank with each number of inputs, in its plainest form; then samples from a source before
        generated ones."""
        chosen = choose([*self.mixed, *self.modes, *self.ranks], 10 + LEFT_TO_VARY, spread=True)
        for one in self.ranks:
            self.assertTrue(any(one is other for other in chosen))
        self.assertEqual(sum(any(one is other for other in chosen) for one in self.modes), LEFT_TO_VARY)

    def test_silent(self) -> None:
        """Given by elements, an operator without symbols is not kept beside others; fewer elements are plainer."""

        def told(rank: int, items: list[int], mask: int) -> Operator:
            list_of = ("begin", True, Elements(items, "int32"))
            call = symbolise("onnx.Any", [("x", True, TensorSpec((2,) * rank, "float32")), list_of, ("x_mask", False, mask)])
            return Operator("onnx.Any", call.args, ((rank, "float32"),), [call.values], sources={RANKS}, samples=1)

        masked, plain, silent = told(2, [0, 1], 3), told(2, [0, 1], 0), told(0, [], 0)
        chosen = choose([masked, plain, silent], 1 + LEFT_TO_VARY, spread=True)
        self.assertEqual(chosen, sorted([masked, plain], key=Operator.key))
        self.assertTrue(_plainness(plain) > _plainness(masked))
        self.assertEqual(choose([silent], 1), [silent])

    def test_dtypes(self) -> None:
        """Each combination of output rank and dtype, in its plainest form, if an attribute chooses the dtype."""

        def cast(rank: int, dtype: str, mode: str = "") -> Operator:
            return replace(operator([rank], mode + dtype), types=((rank, dtype),), samples=1)

        plain = [cast(rank, dtype) for rank in range(1, 6) for dtype in ("bool", "float16", "int8")]
        chosen = choose([*plain, *self.modes], len(plain) + 6, spread=True, dtypes=True)
        self.assertEqual({o.types for o in chosen}, {o.types for o in plain} | {o.types for o in self.modes})
        without = choose([*plain, *self.modes], len(plain) + 6 - 9, spread=True)
        self.assertLess(len({o.types for o in without}), len({o.types for o in chosen}))

    def test_spread_leaves_room(self) -> None:
        """Operators that differ only in rank do not take all slots."""
        chosen = choose([*self.ranks, *self.modes], 2 + LEFT_TO_VARY, spread=True)
        self.assertEqual(sum(any(one is other for other in chosen) for one in self.modes), LEFT_TO_VARY)


if __name__ == "__main__":
    unittest.main()
