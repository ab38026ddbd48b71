"""Samples of modules with other sizes. Skipped if torch cannot be imported."""

import importlib.util
import unittest
from typing import Any

HAVE_TORCH = importlib.util.find_spec("torch") is not None


@unittest.skipUnless(HAVE_TORCH, "torch is not installed here")
class Sizes(unittest.TestCase):
    """Numbers that must be equal stay equal; others are separated."""

    def spread(self, constructor: Any, forward: Any, rule: Any, first: int = 0) -> list[int] | None:
        """The numbers of a sample whose module runs if a rule of its numbers holds."""
        from traces.collect.frameworks.torch.sizes import Sample, numbers_of, spread

        sample = Sample(constructor, forward)
        found = spread(sample, lambda changed: bool(rule(numbers_of(changed))), first)
        return numbers_of(found) if found else None

    def test_alike(self) -> None:
        """A recurrent net: inputs, outputs and layers are 2 by coincidence; a state has the output's size."""
        import torch

        tensors = (torch.zeros(2, 2), (torch.zeros(2, 2),))
        found = self.spread(((), {}), (tensors, {}), lambda n: n[1] == n[3])
        self.assertEqual(found, [5, 3, 7, 3])
        forward: Any = (torch.zeros(2, 2),), {}
        found = self.spread(((2,), {"outputs": 2, "layers": 2, "bias": True}), forward, lambda n: n[0] == n[4] and n[2] == 2)
        assert found is not None
        self.assertEqual(found[0], found[4])
        self.assertEqual(found[2], 2)
        self.assertEqual(len(set(found)), 4)

    def test_multiples(self) -> None:
        """If no other size works, a multiple is used: the channels must be divisible by the groups."""
        import torch

        found = self.spread(((4, 2), {}), ((torch.zeros(4),), {}), lambda n: n[1] == 2 and n[0] % 4 == 0 and n[0] == n[2])
        self.assertEqual(found, [12, 2, 12])

    def test_none(self) -> None:
        """A module that runs only with its own sizes has no other sample."""
        import torch

        self.assertIsNone(self.spread(((4,), {}), ((torch.zeros(4),), {}), lambda n: n == [4, 4]))

    def test_elements(self) -> None:
        """A tensor of another size repeats the old elements, so that indices stay valid."""
        import torch

        from traces.collect.frameworks.torch.sizes import Sample, with_numbers

        found = with_numbers(Sample(((3,), {}), ((torch.tensor([7, 8]), True), {})), [4, 5])
        self.assertEqual(found.constructor, ((4,), {}))
        self.assertEqual(found.forward[0][0].tolist(), [7, 8, 7, 8, 7])
        self.assertIs(found.forward[0][1], True)


if __name__ == "__main__":
    unittest.main()
