"""Graphs of inductor without their sizes, and models that are skipped since their graph was compiled before."""

from __future__ import annotations

import os
import shutil
import tempfile
import unittest
import unittest.mock
from pathlib import Path
from typing import Any

try:
    import torch
    from torch._inductor import config

    from rulefuzz import framework, targets
    from rulefuzz.model import Json, Reader
    from rulefuzz.oracle.tiers import Tiers
    from rulefuzz.passes import torch_graphs
except ImportError as missing:
    raise unittest.SkipTest(str(missing)) from None


class Watching:
    """What becomes of a compilation."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def new(self, function: Any, *inputs: Any, **options: Any) -> bool:
        """Whether code would be generated."""
        graphs = torch_graphs.Graphs(self.path)
        made: list[Any] = []
        torch._dynamo.reset()

        def inner(graph: Any, inputs: Any, **more: Any) -> Any:
            torch._inductor.compile_fx._recursive_post_grad_passes(graph, is_inference=True)
            made.append(graph)
            call: Any = lambda values: graph(*values)  # noqa: E731
            call._boxed_call = True
            return call

        def backend(graph: Any, inputs: Any) -> Any:
            return torch._inductor.compile_fx.compile_fx(graph, inputs, inner_compile=inner)

        with torch_graphs.watched(graphs), config.patch(options), torch.no_grad():
            try:
                torch.compile(function, backend=backend, dynamic=False)(*inputs)
            except torch._dynamo.exc.BackendCompilerFailed as error:
                assert isinstance(error.inner_exception, torch_graphs.Seen)
        assert bool(made) != graphs.duplicate
        return bool(made)


class Digests(unittest.TestCase):
    """Which graphs are new."""

    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.by = Watching(Path(folder.name) / "graphs")

    def test_sizes(self) -> None:
        """Sizes of one class are alike: the tail of a vector, its multiples, others; 0 and 1 are apart."""
        found = [self.by.new(lambda x: x.sin() + 1, torch.ones(n, 3)) for n in (5, 6, 32, 64, 17, 35, 1, 0)]
        self.assertEqual(found, [True, False, True, False, True, False, True, True])

    def test_arguments(self) -> None:
        """Arguments that are no sizes count, and so do operators, dtypes, ranks, strides and options."""
        x = torch.ones(3, 4)
        new, again = self.by.new, [lambda x: x.sum(0), lambda x: x.sum(1), lambda x: x.sum(0, dtype=torch.float64)]
        self.assertEqual([new(function, x) for function in again * 2], [True] * 3 + [False] * 3)
        for other in (x.double(), x[None], x.mT.contiguous().mT):
            self.assertEqual([new(again[0], other) for _ in range(2)], [True, False])
        self.assertTrue(new(again[0], x, epilogue_fusion=False))

    def test_recompilation(self) -> None:
        """The second graph of one compilation is never skipped."""

        def broken(x: Any) -> Any:
            y = x + 1
            torch._dynamo.graph_break()
            return y + 1

        self.assertTrue(self.by.new(broken, torch.ones(3)))
        self.assertFalse(self.by.new(broken, torch.ones(4)))


def model(size: int) -> Json:
    """A sine and an exponential."""

    def tensor(i: int) -> Json:
        return {"id": i, "shape": [size, 3], "dtype": "float32"}

    calls = [{"op": api, "api": api, "args": [{"name": "input", "pos": True, "value": {"ref": i}}], "outputs": [tensor(i + 1)]}
             for i, api in enumerate(("torch.sin", "torch.exp"))]  # fmt: skip
    return {"values": 3, "inputs": [tensor(0)], "nodes": calls, "outputs": [2]}


@unittest.skipUnless(shutil.which(os.environ.get("CXX", "g++")), "no C++ compiler")
class Skipped(unittest.TestCase):
    """torch-inductor in a campaign, and outside of one."""

    def test_campaign(self) -> None:
        adapter, target = framework.load("torch"), targets.load("torch-inductor")
        target.prepare()
        adapter.enter()
        reader, tiers = Reader(adapter), Tiers(adapter, [targets.load("torch-aot"), target], lambda t, s: None, "measured")
        with tempfile.TemporaryDirectory() as folder, unittest.mock.patch.dict(
            os.environ, {"RULEFUZZ_SCRATCH": folder, "TORCHINDUCTOR_CACHE_DIR": folder}):  # fmt: skip
            verdicts = []
            for sizes in ((5, 6), (7, 8), (9, 32)):
                answers = tiers.run([reader.model(model(size)) for size in sizes])
                verdicts.append([answer["tiers"]["torch-inductor"]["verdict"] for answer in answers])
                self.assertEqual(["ok"] * 2, [answer["verdict"] for answer in answers])
            self.assertEqual([["ok"] * 2, ["duplicate"] * 2, ["ok"] * 2], verdicts)
            (answer,) = tiers.run([reader.model(model(7))])  # alone, as in a reduction
            self.assertEqual("ok", answer["tiers"]["torch-inductor"]["verdict"])


if __name__ == "__main__":
    unittest.main()
