"""Models whose calls write to inputs, results and views that live on: what the oracle compares, excuses and keeps. Needs
torch."""

from __future__ import annotations

import os
import unittest
import unittest.mock
from typing import Any

try:
    import torch

    from rulefuzz import targets
    from rulefuzz.effects.torch import meets, overlaps, shared
    from rulefuzz.faults import torch_memory
    from rulefuzz.frameworks.torch import Torch
    from rulefuzz.model import Json, Reader
    from rulefuzz.oracle.check import Check, Clock
    from rulefuzz.oracle.titles import WRITE
    from rulefuzz.script import repro, short
except ImportError as missing:
    raise unittest.SkipTest(str(missing)) from None

TORCH = Torch()


def call(api: str, given: list[Any], out: int, shape: list[int], dtype: str = "float32") -> Json:
    """A call of positional arguments."""
    args = [{"name": f"a{i}", "pos": True, "value": value} for i, value in enumerate(given)]
    return {"op": api, "api": api, "args": args, "outputs": [{"id": out, "shape": shape, "dtype": dtype}]}


def ref(i: int, *, copy: bool = False) -> Json:
    """A tensor, or a copy of it."""
    return {"ref": i, "copy": True} if copy else {"ref": i}


def model(nodes: list[Json], outputs: list[int], shape: tuple[int, ...] = (8,), **more: Any) -> Json:
    """A model of one input, tensor 0."""
    first = {"id": 0, "shape": list(shape), "dtype": "float32", **more}
    return {"values": 3, "inputs": [first], "nodes": nodes, "outputs": outputs}


def dropped(out: int) -> Json:
    """A dropout that returns its input."""
    return call("torch.dropout", [ref(0), {"const": "0.5"}, {"const": "False"}], out, [8])


def view_and_write(*, copy: bool = False) -> Json:
    """A write through a view with gaps, then a read of the base and of another view."""
    nodes = [call("torch.Tensor.unfold", [ref(0), 0, 2, 3], 1, [3, 2]),
             call("torch.Tensor.mul_", [ref(1, copy=copy), 10], 2, [3, 2]),
             call("torch.Tensor.add_", [ref(0, copy=copy), 3], 3, [8]), call("torch.Tensor.detach", [ref(0)], 4, [8]),
             call("torch.dropout", [ref(1), {"const": "0.5"}, {"const": "False"}], 5, [3, 2]),
             call("torch.exp", [ref(0)], 6, [8])]  # fmt: skip
    return model(nodes, [2, 3, 4, 5, 6])


def check(item: Json, target: str = "torch-eager", fault: str = "") -> Check:
    """The check of a model on a target."""
    TORCH.enter()
    with unittest.mock.patch.dict(os.environ, {"RULEFUZZ_PLANTED": fault}):
        return Check(TORCH, targets.load(target), Reader(TORCH).model(item), Clock(lambda stage: None))


def verdict(item: Json, fault: str = "") -> Json:
    """The answer on a target with a planted fault."""
    with unittest.mock.patch.dict(os.environ, {"RULEFUZZ_PLANTED": fault}):
        return check(item, "torch-planted", fault).run()


class Effects(unittest.TestCase):
    """The oracle."""

    def test_observed(self) -> None:
        """Each call's writes and aliases, from version counters and storages."""
        done = check(view_and_write())
        self.assertIsNone(done.unfit())
        writes = [sorted(effect.writes) for effect in done.model.effects]
        self.assertEqual(writes, [[], [0, 1], [0, 1, 2], [], [], []])
        self.assertEqual(sorted(done.model.effects[4].shares), [0, 1, 2, 3, 4])
        copied = check(view_and_write(copy=True))
        self.assertIsNone(copied.unfit())
        self.assertEqual(copied.model.effects, ())

    def test_agrees(self) -> None:
        """Eager agrees with itself on all elements, inputs afterwards and aliases."""
        self.assertEqual(verdict(view_and_write())["verdict"], "ok")

    def test_planted(self) -> None:
        """Every fault shows, and none if calls get copies."""
        for fault in torch_memory.FAULTS:
            with self.subTest(fault):
                self.assertEqual(verdict(view_and_write(), fault)["verdict"], "inconsistency")
        for fault in {*torch_memory.FAULTS} - {"self-copied", "view-copied", "output-copied"}:
            with self.subTest(fault, copies=True):
                self.assertEqual(verdict(view_and_write(copy=True), fault)["verdict"], "ok")

    def test_attributed(self) -> None:
        """A difference in written memory belongs to the calls that share and write it."""
        answer = verdict(view_and_write(), "view-write-lost")
        self.assertEqual(answer["first"]["api"], WRITE)
        self.assertRegex(answer["title"], r"^unfold \+ detach")

    def test_aliases(self) -> None:
        """A result with memory of its own is reported if elements are equal."""
        nodes = [call("torch.Tensor.neg_", [ref(0)], 1, [8]), call("torch.Tensor.view_as", [ref(0), ref(0)], 2, [8])]
        answer = verdict(model(nodes, [1, 2]), "output-copied")
        self.assertIn("memory of its own instead of memory of t0", answer["first"]["how"])

    def test_undeclared(self) -> None:
        """A result that is a view although its operator does not say so may have memory of its own."""
        nodes = [call("torch.Tensor.neg_", [ref(0)], 1, [8]), call("torch.unsafe_chunk", [ref(0), 1], 2, [8])]
        self.assertEqual(verdict(model(nodes, [2]), "output-copied")["verdict"], "ok")

    def test_undefined(self) -> None:
        """A source that partially overlaps its destination, and elements that share an address."""
        shifted = [call("torch.narrow", [ref(0), 0, 1, 7], 1, [7]), call("torch.narrow", [ref(0), 0, 0, 7], 2, [7]),
                   call("torch.Tensor.copy_", [ref(1), ref(2)], 3, [7])]  # fmt: skip
        self.assertIn(verdict(model(shifted, [3]))["verdict"], ("unspecified", "rejected"))
        expanded = [call("torch.Tensor.expand", [ref(0), [3, 8]], 1, [3, 8]),
                    call("torch.Tensor.fill_", [ref(1), 2], 2, [3, 8])]  # fmt: skip
        self.assertIn(verdict(model(expanded, [2]))["verdict"], ("unspecified", "rejected"))

    def test_requires_gradient(self) -> None:
        """Writes to a leaf that requires a gradient, which asarray makes: "a write to shared elements" for the oracle. The
        other tests here compare "a write to elements of its own"."""
        marked = call("torch.asarray", [ref(0)], 1, [8])
        marked["args"].append({"name": "requires_grad", "pos": False, "value": {"const": "True"}})
        found = verdict(model([marked, call("torch.Tensor.neg_", [ref(1)], 2, [8])], [2]))
        self.assertEqual((found["verdict"], found["excuses"]), ("unspecified", {"overlapping-write": 1}))

    def test_leading_to(self) -> None:
        """What a tensor needs includes the writes to its memory, and no others."""
        done = check(view_and_write())
        done.unfit()
        self.assertEqual([node.api for node in done.model.leading_to([6]).nodes],
                         ["torch.Tensor.unfold", "torch.Tensor.mul_", "torch.Tensor.add_", "torch.exp"])  # fmt: skip
        plain = check(view_and_write(copy=True))
        plain.unfit()
        self.assertEqual([node.api for node in plain.model.leading_to([6]).nodes], ["torch.exp"])

    def test_wide(self) -> None:
        """The run in 64 bits executes the same writes."""
        done = check(view_and_write())
        done.unfit()
        wide, values = done.rounding._in_64_bits(), done.reference.values
        for i in (0, 3, 5, 6):
            self.assertEqual(wide[i].dtype, torch.float64)
            torch.testing.assert_close(wide[i].float(), values[i])


class Scripts(unittest.TestCase):
    """Scripts of torch alone that show a difference of torch.compile; this one has been there since dropout is decomposed."""

    def test_aliases(self) -> None:
        """Both scripts of a result that shares memory in eager only."""
        nodes = [dropped(1), call("torch.Tensor.neg_", [ref(0)], 2, [8])]
        made = Reader(TORCH).model(model(nodes, [1]))
        TORCH.enter()
        target = targets.load("torch-aot")
        answer = Check(TORCH, target, made, Clock(lambda stage: None)).run()
        self.assertEqual(answer["verdict"], "inconsistency")
        self.assertIn("v0.neg_()", short.Writer(TORCH, target, made, "title").text("inconsistency"))
        text = repro.script(TORCH, target, made, "title", verdict="inconsistency")
        self.assertTrue(short.shows_long(text, {"verdict": "inconsistency"}))

    def test_only_aliases(self) -> None:
        """The elements are equal."""
        nodes = [call("torch.Tensor.neg_", [ref(0)], 1, [8]), dropped(2)]
        made = Reader(TORCH).model(model(nodes, [2]))
        TORCH.enter()
        target = targets.load("torch-aot")
        text = short.Writer(TORCH, target, made, "title").text("inconsistency")
        self.assertIn("actual = shared(actual, inputs)", text)
        whole = repro.script(TORCH, target, made, "title", verdict="inconsistency")
        self.assertTrue(short.shows_long(whole, {"verdict": "inconsistency"}))


class Memory(unittest.TestCase):
    """How memory of tensors meets."""

    def test_meets(self) -> None:
        """The same elements, some, none; in bytes if dtypes differ."""
        x = torch.zeros(4, 6)
        self.assertEqual((meets(x, x), meets(x, x[1:]), meets(x[:2], x[2:]), meets(x, x.clone())), ("same", "partly", "", ""))
        self.assertEqual((meets(x[:, ::2], x[:, 1::2]), meets(x, x.view(torch.int16)[:1])), ("", "partly"))

    def test_overlaps(self) -> None:
        """Two elements at one address."""
        x = torch.zeros(9)
        views = (x, x.unfold(0, 2, 3), x.unfold(0, 3, 2), x[:1].expand(4))
        self.assertEqual(list(map(overlaps, views)), [False, False, True, True])

    def test_shared(self) -> None:
        """Which tensors share memory, and from where on."""
        x = torch.zeros(6)
        one = shared([x[2:], x.clone()], [x])
        self.assertEqual([item[:2] for item in one], [(0, 8), (2, 0), (0, 0)])


if __name__ == "__main__":
    unittest.main()
