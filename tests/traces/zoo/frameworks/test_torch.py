"""Patterns of torch calls in modules, and their recordings."""

from __future__ import annotations

import unittest
from typing import Any

try:
    import torch

    from traces.collect.zoo.eager import chains, tape
    from traces.collect.zoo.modules.layers import Of
except ImportError:
    raise unittest.SkipTest("no torch") from None

F = torch.nn.functional
KNOWN = {"torch.Tensor.mul", "torch.Tensor.add_", "torch.nn.functional.relu", "torch.Tensor.chunk", "torch.cat"}


def made(function: Any, **parts: Any) -> Any:
    """A module of one function and its input."""
    return Of(function, **parts), (torch.arange(6.0).reshape(2, 3) + 1,)


def lines(function: Any, **parts: Any) -> dict[str, Any]:
    """The recordings of its patterns."""
    found = chains.Patterns("torch", KNOWN)
    found.add("test", tape.record(made(function, **parts)))
    return found.lines


class Recordings(unittest.TestCase):
    """One module each."""

    def test_data_flow(self) -> None:
        """Attributes are constants, parameters are constant inputs, outputs are those that no call takes."""
        found = lines(lambda m, x: F.relu(x * m.w).mul(2.5), w=torch.full((3,), 0.5))
        line = found["torch.Tensor.mul(x0,c);torch.nn.functional.relu(0);torch.Tensor.mul(1)"]
        one = {"id": 0, "shape": [2, 3], "dtype": "float32", "values": "positive"}
        two = {"id": 1, "shape": [3], "dtype": "float32", "values": "unit", "constant": True}
        self.assertEqual(line["inputs"], [one, two])
        args = line["nodes"][2]["args"]
        self.assertEqual([(arg["name"], arg["value"]) for arg in args], [("self", {"ref": 3}), ("other", {"const": "2.5"})])
        self.assertEqual(line["outputs"], [4])

    def test_calls_in_place(self) -> None:
        """They take a copy; later calls take their result."""
        found = lines(lambda m, x: torch.cat([(x * 2).add_(1), x]))
        line = found["torch.Tensor.mul(x0);torch.Tensor.add_(0);torch.cat(1,x0)"]
        self.assertEqual(line["nodes"][1]["args"][0]["value"], {"ref": 1, "copy": True})
        self.assertEqual(line["nodes"][2]["args"][0]["value"], [{"ref": 2}, {"ref": 0}])

    def test_several_results(self) -> None:
        """Which result feeds a call."""
        found = lines(lambda m, x: torch.cat(x.chunk(2)[::-1], -1))
        self.assertIn("torch.Tensor.chunk(x0)=2;torch.cat(0.1,0)", found)

    def test_calls_without_rules(self) -> None:
        """They end a window; a slice makes a call one."""
        self.assertEqual(lines(lambda m, x: F.relu(torch.erf(x * 2))), {})
        self.assertEqual(lines(lambda m, x: F.relu((x * 2)[:, :2])), {})

    def test_an_unrecorded_write_ends_the_data_flow(self) -> None:
        """Elements that were assigned are not those of the call before."""

        def function(m: Any, x: Any) -> Any:
            y = x * 2
            y[0] = 1.0
            return F.relu(y)

        self.assertEqual(lines(function), {})


if __name__ == "__main__":
    unittest.main()
