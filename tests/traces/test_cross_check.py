"""Second opinions: rows excluded as noise, the session's answers, and torch's opinions if torch is installed."""

from __future__ import annotations

import json
import re
import unittest
from pathlib import Path

try:
    import numpy as np  # noqa: F401
except ImportError:
    raise unittest.SkipTest("no numpy") from None

from traces.collect.cross_check import kinds
from traces.collect.cross_check.noise import NOISE, noise

SHAPES = "raises RuntimeError: expected src to have a size equal to the slice of self"
EXAMPLES = {
    "index": ("fake", "raises IndexError: index 7 is out of bounds for dimension 0 with size 3", ""),
    "elements": ("aot", "raises LinAlgError: the input matrix is singular", ""),
    "library": ("decomp", "raises RuntimeError: MKL FFT error: Inconsistent configuration parameters", ""),
    "no kernel": ("fake", "raises NotImplementedError: \"pow\" not implemented for 'Half'", ""),
    "data-dependent": ("fake", "", "raises DataDependentOutputException: aten._local_scalar_dense.default"),
    "unsupported": ("meta", "", "raises NotImplementedError: Could not run 'aten::x' with arguments from the 'Meta' backend"),
    "signature": ("out", "", "raises TypeError: f() got an unexpected keyword argument 'out'"),
    "in place": ("twin", "", "raises RuntimeError: output with shape [1] doesn't match the broadcast shape [2]"),
}
MEMORY = "raises RuntimeError: DefaultCPUAllocator: can't allocate memory"


class NoiseTable(unittest.TestCase):
    """An example per row."""

    def test_each_row(self) -> None:
        for name, (kind, live, said) in EXAMPLES.items():
            with self.subTest(name):
                row = noise(kind, live, said)
                self.assertEqual(row and row.name, name)
        self.assertEqual({row.name for row in NOISE}, {*EXAMPLES, "memory"})

    def test_memory_of_either(self) -> None:
        for live, said in ((MEMORY, ""), ("", MEMORY)):
            row = noise("out", live, said)
            self.assertEqual(row and row.name, "memory")

    def test_lost_validation_is_no_noise(self) -> None:
        for kind in ("fake", "meta", "aot", "inductor", "decomp"):
            self.assertIsNone(noise(kind, SHAPES, "torch.float32[2]"))
            self.assertIsNone(noise(kind, "", "raises RuntimeError: cannot reshape tensor of 0 elements into shape [0, -1]"))

    def test_only_of_their_kinds(self) -> None:
        self.assertIsNone(noise("out", EXAMPLES["index"][1], ""))
        self.assertIsNone(noise("fake", "", EXAMPLES["signature"][2]))

    def test_each_says_why(self) -> None:
        self.assertTrue(all(row.why for row in NOISE))


class Kinds(unittest.TestCase):
    """The rows in C and in Python."""

    def test_are_the_same(self) -> None:
        text = Path("runtime/verify/cross_check.def").read_text(encoding="ascii")
        rows = re.findall(r'^KIND\("([\w-]+)", "(\w+)"\)', text, re.MULTILINE)
        self.assertEqual(rows, [(kind, framework) for framework, all_ in kinds.KINDS.items() for kind in all_])


class Torch(unittest.TestCase):
    """PyTorch's answers to known calls."""

    def setUp(self) -> None:
        try:
            import torch  # noqa: F401
        except ImportError:
            raise unittest.SkipTest("no torch") from None

    def opinions(self, kind: str, api: str, args: list[object], values: tuple[int, ...], rank: int) -> list[tuple[str, str]]:
        """(outcome, what) of each signature."""
        from rulefuzz.sandbox import UNLIMITED
        from traces.collect.frameworks.torch.adapter import TorchAdapter
        from traces.collect.judge.oracle import Subject

        asker = kinds.asker_of(TorchAdapter(), kind, UNLIMITED)
        call = asker.compile(Subject(api, api, args, [(rank, "float32")], []))
        return [(opinion.outcome, opinion.what) for opinion in asker.ask(call, values)]

    @staticmethod
    def tensor(name: str, *symbols: str) -> dict[str, object]:
        return {"name": name, "pos": True, "value": {"tensor": list(symbols), "dtype": "float32"}}

    def test_agree(self) -> None:
        args: list[object] = [self.tensor("input", "s0", "s1")]
        for kind in ("fake", "meta", "decomp", "out"):
            self.assertEqual(self.opinions(kind, "torch.sin", args, (2, 3), 2), [("same", "")])
        self.assertEqual({o for o, _ in self.opinions("twin", "torch.sin", args, (2, 3), 2)}, {"same"})

    def test_a_lost_check(self) -> None:
        args: list[object] = [self.tensor("input", "s0", "s1"), {"name": "dim", "pos": True, "value": "s2"}]
        self.assertEqual(self.opinions("fake", "torch.mode", args, (4, 0, 1), 1), [("differs", "accepts")])

    def test_random(self) -> None:
        args: list[object] = [self.tensor("input", "s0")]
        self.assertEqual(self.opinions("decomp", "torch.rand_like", args, (40,), 1), [("noise", "random")])

    def test_script(self) -> None:
        """The script compiles, and names only the framework."""
        from rulefuzz.sandbox import UNLIMITED
        from traces.collect.cross_check.opinion import Opinion
        from traces.collect.frameworks.torch.adapter import TorchAdapter
        from traces.collect.judge.oracle import Subject

        args = json.loads('[{"name":"input","pos":true,"value":{"tensor":["s0"],"dtype":"float32"}}]')
        asker = kinds.asker_of(TorchAdapter(), "fake", UNLIMITED)
        subject = Subject("torch.sin", "torch.sin", args, [(1, "float32")], [])
        text = asker.script(subject, (3,), Opinion("differs", "shape"), "fake")
        compile(text, "script", "exec")
        self.assertNotIn("rulefuzz", text)


if __name__ == "__main__":
    unittest.main()
