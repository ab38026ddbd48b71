"""What bench-kernels counts in inductor's kernels."""

from __future__ import annotations

import random
import unittest
from typing import Any

try:
    import torch

    from rulefuzz import framework, targets
    from rulefuzz.model import Json, Reader
    from rulefuzz.settings.torch_inductor import SETTINGS
    from tests.bench.kernels import CONTENTS, ELSEWHERE, contents, drawn, kernels_of
except ImportError as missing:
    raise unittest.SkipTest(str(missing)) from None


def model(api: str, shape: list[int], wanted: list[int], **args: Any) -> Json:
    """One call of an input, after a sine."""

    def tensor(i: int, sizes: list[int]) -> Json:
        return {"id": i, "shape": sizes, "dtype": "float32"}

    def call(name: str, i: int, sizes: list[int], more: dict[str, Any]) -> Json:
        given = [{"name": "input", "pos": True, "value": {"ref": i}}]
        given += [{"name": key, "pos": False, "value": value} for key, value in more.items()]
        return {"op": name, "api": name, "args": given, "outputs": [tensor(i + 1, sizes)]}

    calls = [call("torch.sin", 0, shape, {}), call(api, 1, wanted, args)]
    return {"values": 3, "inputs": [tensor(0, shape)], "nodes": calls, "outputs": [2]}


class Kernels(unittest.TestCase):
    """Real code, of models that ask for it."""

    def counted(self, *items: Json, **settings: str) -> set[str]:
        adapter = framework.load("torch")
        targets.load("torch-inductor").prepare()
        adapter.enter()
        reader = Reader(adapter)
        sources = kernels_of([reader.model({**item, "settings": settings}) for item in items * 2])  # two, which are merged
        self.assertTrue(sources)
        return {name for source in sources for name in contents(source)}

    def test_vectors(self) -> None:
        plain = model("torch.exp", [4, 64], [4, 64])
        self.assertEqual({"vectorized loops"}, self.counted(plain))
        self.assertEqual(set(), self.counted(plain, **{"cpp.simdlen": "1"}))

    def test_split_reductions(self) -> None:
        whole = model("torch.sum", [300000], [])
        self.assertNotIn("reductions split over threads", self.counted(whole))
        self.assertIn("reductions split over threads", self.counted(whole, **{"cpp.threads": "4"}))

    def test_settings(self) -> None:
        numbers = random.Random(1)
        found = [drawn(numbers) for _ in range(300)]
        self.assertTrue(any(not one for one in found))
        self.assertEqual(set(SETTINGS) - set(ELSEWHERE), {name for one in found for name in one})
        self.assertTrue(all(value != SETTINGS[name][0] for one in found for name, value in one.items()))

    def test_goals(self) -> None:
        self.assertEqual([50, 5, 5, 2], [goal for _, goal in CONTENTS.values()])
        self.assertTrue(torch.__version__)


if __name__ == "__main__":
    unittest.main()
