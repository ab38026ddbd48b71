"""What calls do to memory, learned by running them. Needs torch."""

from __future__ import annotations

import unittest
from typing import Any

try:
    from traces.collect.frameworks.torch import aliases
    from traces.collect.frameworks.torch.adapter import Pools
except ImportError as missing:
    raise unittest.SkipTest(str(missing)) from None

POOLS = Pools()


def tensor(*symbols: str) -> Any:
    """An input."""
    return {"tensor": list(symbols), "dtype": "float32"}


def operator(api: str, values: list[Any], calls: list[list[int]]) -> Any:
    """A signature of positional arguments and its passing calls."""
    args = [{"name": f"a{i}", "pos": True, "value": value} for i, value in enumerate(values)]
    passing = [[call, []] for call in calls]
    return {"op": f"{api}-0", "api": api, "args": args, "dtypes": [[["float32"], ["float32"]]], "pass": passing}


def row(api: str, values: list[Any], calls: list[list[int]]) -> list[str]:
    """The row without the name."""
    return aliases.row(operator(api, values, calls), POOLS)[1:]


class Aliases(unittest.TestCase):
    """Rows of ALIASES.tsv."""

    def test_relations(self) -> None:
        """A write, a view, the input itself, either, fresh memory, and an undeclared alias."""
        square = [tensor("s0", "s1")]
        calls = [[2, 3], [4, 2], [1, 5]]
        self.assertEqual(row("torch.Tensor.neg_", square, calls), ["0", "s0", "always"])
        self.assertEqual(row("torch.Tensor.t", square, calls), [".", "V0", "always"])
        self.assertEqual(row("torch.Tensor.detach", square, calls), [".", "v0", "always"])
        self.assertEqual(row("torch.Tensor.contiguous", square, calls), [".", "m0", "always"])
        self.assertEqual(row("torch.Tensor.t_", square, calls)[0], "shape")
        self.assertEqual(row("torch.Tensor.neg", square, calls), [])
        self.assertEqual(row("torch.unsafe_chunk", [*square, {"const": "2"}], [[4, 3], [6, 2]])[1], "u0,u0")

    def test_disjoint(self) -> None:
        """The condition under which elements of a result share no address."""
        windows = [[n, size, step] for n in range(4, 9) for size in (1, 2, 3) for step in (1, 2, 3)]
        self.assertEqual(row("torch.Tensor.unfold", [tensor("s0"), {"const": "0"}, "s1", "s2"], windows)[2], "s2>=s1")
        grids = [[20, a, b, c, d] for a in (1, 2, 3) for b in (1, 2, 3) for c in (0, 1, 3) for d in (1, 2, 4)]
        self.assertEqual(row("torch.as_strided", [tensor("s0"), ["s1", "s2"], ["s3", "s4"]], grids)[2], "s1:s3:2")
        wide = [[1, n] for n in (1, 2, 3)] + [[n, n] for n in (2, 3, 4)]
        self.assertEqual(row("torch.Tensor.expand", [tensor("s0"), ["s1"]], wide)[2], "numel")


if __name__ == "__main__":
    unittest.main()
