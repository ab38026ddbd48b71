"""Targets that freeze a module's parameters: wrong constants are detected. Needs torch."""

from __future__ import annotations

import os
import shutil
import unittest
import unittest.mock
from collections.abc import Callable
from typing import Any

try:
    import torch
    from torch._inductor import compile_fx, config, freezing
    from torch._subclasses.fake_tensor import unset_fake_temporarily

    from rulefuzz import targets
    from rulefuzz.frameworks.torch import Torch
    from rulefuzz.model import Json, Reader
    from rulefuzz.oracle.check import Check, Clock
except ImportError as missing:
    raise unittest.SkipTest(str(missing)) from None

TORCH = Torch()
AFTER = compile_fx._recursive_post_grad_passes


def product(**more: Any) -> Json:
    """A tensor times a constant."""
    made = [{"id": i, "shape": [2, 3], "dtype": "float32"} for i in range(3)]
    args = [{"name": name, "pos": True, "value": {"ref": i}} for i, name in enumerate(("input", "other"))]
    node = {"api": "torch.mul", "args": args, "outputs": [made[2]]}
    return {"values": 5, "inputs": [made[0], {**made[1], "constant": True}], "nodes": [node], "outputs": [2], **more}


def judged(name: str, item: Json) -> str:
    """The verdict on a target."""
    TORCH.enter()
    target = targets.load(name)
    with unittest.mock.patch.dict(os.environ):
        target.prepare()
        return str(Check(TORCH, target, Reader(TORCH).model(item), Clock(lambda stage: None)).run()["verdict"])


def after_passes(change: Callable[[Any], None]) -> Any:
    """inductor with another pass behind its own."""

    def passes(graph: Any, **options: Any) -> None:
        AFTER(graph, **options)
        change(graph)

    return unittest.mock.patch.object(compile_fx, "_recursive_post_grad_passes", passes)


def spoil(graph: Any) -> None:
    """Adds 1 to each constant."""
    for node in graph.graph.find_nodes(op="get_attr"):
        with unset_fake_temporarily():
            setattr(graph, node.target, torch.nn.Parameter(getattr(graph, node.target) + 1))


def lower(graph: Any) -> None:
    """Replaces multiplications by a private function of inductor."""
    for node in graph.graph.find_nodes(op="call_function", target=torch.ops.aten.mul.Tensor):
        node.target = freezing.freeze


class Frozen(unittest.TestCase):
    """torch-passes, torch-freezing."""

    def tearDown(self) -> None:
        settings: Any = config
        settings.freezing = False

    def test_passes(self) -> None:
        self.assertEqual(judged("torch-passes", product(module=True)), "ok")
        self.assertEqual(judged("torch-passes", product()), "ok")

    def test_a_wrong_pass(self) -> None:
        """The pass changes frozen parameters, but not the constants of a function."""
        with after_passes(spoil):
            self.assertEqual(judged("torch-passes", product(module=True)), "inconsistency")
            self.assertEqual(judged("torch-passes", product()), "ok")

    def test_private_operators_are_unsupported(self) -> None:
        with after_passes(lower):
            self.assertEqual(judged("torch-passes", product(module=True)), "unsupported")

    @unittest.skipUnless(shutil.which(os.environ.get("CXX", "g++")), "no C++ compiler")
    def test_inductor(self) -> None:
        """Only the target with this option freezes."""
        for name, verdict in (("torch-freezing", "inconsistency"), ("torch-inductor", "ok")):
            with self.subTest(name), after_passes(spoil):
                self.assertEqual(judged(name, product(module=True)), verdict)


if __name__ == "__main__":
    unittest.main()
