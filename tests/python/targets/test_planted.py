"""Targets that are broken on purpose: a fault affects only the API that it names, in the way that it names. Campaigns
are measured by these faults. Needs torch."""

from __future__ import annotations

import os
import unittest
import unittest.mock
from typing import Any

try:
    import torch

    from rulefuzz import assignments, targets
    from rulefuzz.frameworks.torch import Torch
    from rulefuzz.model import Json, Reader
    from rulefuzz.oracle.check import Check, Clock
    from rulefuzz.oracle.symbolic import Symbolic
except ImportError as missing:
    raise unittest.SkipTest(str(missing)) from None

TORCH = Torch()


def model(api: str, count: int, shape: list[int], calls: int = 1, out: list[int] | None = None, **more: Any) -> Json:
    """Calls of one API, each with inputs of its own."""
    names = ["input", "other"][:count]
    made: list[Json] = [{"id": i, "shape": shape, "dtype": "float32"} for i in range(count * calls)]
    nodes: list[Json] = []
    for i in range(calls):
        args = [{"name": name, "pos": True, "value": {"ref": i * count + k}} for k, name in enumerate(names)]
        output = {"id": count * calls + i, "shape": shape if out is None else out, "dtype": "float32"}
        nodes.append({"api": api, "args": args, "outputs": [output]})
    return {"values": 5, "inputs": made, "nodes": nodes, "outputs": [n["outputs"][0]["id"] for n in nodes], **more}


def judged(item: Json, fault: str) -> Json:
    """The verdict on torch-broken with a fault."""
    TORCH.enter()
    with unittest.mock.patch.dict(os.environ, {"RULEFUZZ_BROKEN": fault}):
        return Check(TORCH, targets.load("torch-broken"), Reader(TORCH).model(item), Clock(lambda stage: None)).run()


class Broken(unittest.TestCase):
    """torch-broken."""

    def test_results(self) -> None:
        """Each fault needs the kind of result that its name says, and has no effect on others."""
        square, row, empty = [3, 3], [1, 4], [0, 2]
        scalar: list[int] = []
        for fault, seen, unseen in (
            ("perturb", [square, row, scalar], [empty]), ("round", [square, row, scalar], [empty]),
            ("truncate", [square, row, scalar], [empty]), ("stride", [square], [scalar, row, empty]),
            ("pad", [square, row], [scalar, [3, 1], empty]), ("axis", [square], [scalar, row]),
            ("element", [square, row, scalar], [empty]), ("size1", [row, [3, 1]], [square, scalar]),
            ("size0", [empty], [square, row, scalar]), ("broadcast", [square], [row, scalar, empty]),
        ):  # fmt: skip
            for shapes, verdict in ((seen, "inconsistency"), (unseen, "ok")):
                for shape in shapes:
                    item = model("torch.exp", 1, shape)
                    with self.subTest(fault=fault, shape=shape):
                        answer = judged(item, f"torch.exp:{fault}")
                        self.assertEqual(answer["verdict"], verdict)
                        self.assertEqual(answer.get("first", {"api": "torch.exp"})["api"], "torch.exp")
                        self.assertEqual(judged(item, f"torch.sin:{fault}")["verdict"], "ok")

    def test_one_of_several_results(self) -> None:
        """A fault affects the first float result; other dtypes stay the same."""
        item = model("torch.aminmax", 1, [2, 3], out=[])
        item["nodes"][0]["outputs"].append({"id": 2, "shape": [], "dtype": "float32"})
        item["outputs"] = [1, 2]
        answer = judged(item, "torch.aminmax:perturb")
        self.assertEqual((answer["verdict"], [d["id"] for d in answer["differs"]]), ("inconsistency", [1]))
        integers = model("torch.neg", 1, [2, 3])
        for item in (integers["inputs"][0], integers["nodes"][0]["outputs"][0]):
            item["dtype"] = "int32"
        self.assertEqual(judged(integers, "torch.neg:perturb")["verdict"], "ok")

    def test_calls(self) -> None:
        """Swapped arguments, an argument returned as the result, the result of the previous call."""
        for fault, item, other in (
            ("swap", model("torch.sub", 2, [2, 3]), model("torch.add", 2, [2, 3])),
            ("drop", model("torch.neg", 1, [2, 3]), model("torch.sum", 1, [2, 3], out=[])),
            ("stale", model("torch.neg", 1, [2, 3], calls=2), model("torch.neg", 1, [2, 3])),
        ):
            with self.subTest(fault):
                self.assertEqual(judged(item, f"{item['nodes'][0]['api']}:{fault}")["verdict"], "inconsistency")
                self.assertEqual(judged(other, f"{other['nodes'][0]['api']}:{fault}")["verdict"], "ok")
        refuses = model("torch.matmul", 2, [2, 3], out=[2, 2])
        refuses["inputs"][1]["shape"] = [3, 2]
        self.assertEqual(judged(refuses, "torch.matmul:swap")["first"]["how"], "shape [3, 3] instead of [2, 2]")
        refuses["inputs"][0]["shape"] = [4, 3]
        refuses["nodes"][0]["outputs"][0]["shape"] = [4, 2]
        self.assertEqual(judged(refuses, "torch.matmul:swap")["verdict"], "ok")  # torch rejects these operands if swapped

    def test_a_missing_check(self) -> None:
        """An invalid call is accepted; valid calls stay the same."""
        item = model("torch.matmul", 2, [2, 3], near_miss=True)
        self.assertEqual(judged(item, "torch.matmul:check")["verdict"], "accepts-invalid")
        self.assertEqual(judged(item, "torch.add:check")["verdict"], "ok")
        self.assertEqual(judged(model("torch.add", 2, [2, 3]), "torch.add:check")["verdict"], "ok")

    def test_an_error(self) -> None:
        answer = judged(model("torch.exp", 1, [2, 3]), "torch.exp:raise")
        self.assertEqual((answer["verdict"], answer["error"]["message"]),
                         ("error", "planted fault in torch.exp for shape [2, 3]"))  # fmt: skip


class Specialised(unittest.TestCase):
    """torch-specialised: the kept first shape is detected by a second shape, and only by that."""

    def verdict(self, fault: str, sizes: list[int]) -> str:
        item = model("torch.exp", 1, [3, sizes[0]], dims={"a": sizes})
        item["inputs"][0]["dims"] = [None, "a"]
        item["nodes"][0]["outputs"][0]["also"] = [[3, size] for size in sizes[1:]]
        TORCH.enter()
        with unittest.mock.patch.dict(os.environ, {"RULEFUZZ_BROKEN": fault}), torch.no_grad():
            made = assignments.read(item, Reader(TORCH).model(item))
            check = Symbolic(TORCH, targets.load("torch-specialised"), made, Clock(lambda stage: None))
            return str(check.run()["verdict"])

    def test_all_ten(self) -> None:
        for fault in ("reshape", "pad", "tail", "mean", "stride", "broadcast", "slice", "fold", "offset", "buffer"):
            with self.subTest(fault):
                seen = "error" if fault == "buffer" else "inconsistency"
                self.assertEqual([self.verdict(f"torch.exp:{fault}", sizes) for sizes in ([2, 4], [3, 3])], [seen, "ok"])
                if fault != "reshape":  # a smaller size is left unchanged
                    self.assertEqual(self.verdict(f"torch.exp:{fault}", [4, 2]), seen)
                self.assertEqual(self.verdict(f"torch.sin:{fault}", [2, 4]), "ok")


if __name__ == "__main__":
    unittest.main()
