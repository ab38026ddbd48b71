"""rulesmith: the structs as the compiler lays them out, calls there and back, answers, models, faults that are told."""

from __future__ import annotations

import ctypes
import os
import subprocess
import sys
import unittest
from pathlib import Path

TREE = Path(__file__).resolve().parents[3]
LIBRARY = Path(os.environ.get("RULESMITH_LIBRARY") or TREE / os.environ.get("BUILD", "build") / "librulesmith.so")
USABLE = LIBRARY.exists() and b"__asan_init" not in LIBRARY.read_bytes()
os.environ["RULESMITH_LIBRARY"] = str(LIBRARY)

import rulesmith  # noqa: E402 - after what says which library
from rulesmith import Name, Refused, Tensor, UnknownCall, library  # noqa: E402


class Layout(unittest.TestCase):
    """No library is needed."""

    def test_structs(self) -> None:
        golden = (TREE / f"tests/golden/abi/{library.RS_LIBRARY_ABI}.txt").read_text().splitlines()
        for name, struct in library.MIRRORED.items():
            ours = [f"{name} {ctypes.sizeof(struct)}"]
            for field in (entry[0] for entry in struct._fields_):
                place = getattr(struct, field)
                ours.append(f"{name}.{field} {place.offset} {place.size}")
            self.assertEqual([line for line in golden if line.split(" ")[0].split(".")[0] == name], ours)

    def test_the_abi_is_the_headers(self) -> None:
        header = (TREE / "runtime/include/rulesmith.h").read_text()
        self.assertIn(f"#define RS_LIBRARY_ABI {library.RS_LIBRARY_ABI}\n", header)

    def test_no_library(self) -> None:
        for path, why in (("/nonexistent.so", "cannot be loaded: /nonexistent.so"), ("libc.so.6", "is no librulesmith")):
            code = "import rulesmith as r\ntry:\n    r.frameworks()\nexcept r.LibraryFault as fault:\n    print(fault)"
            environment = {"RULESMITH_LIBRARY": path, "PYTHONPATH": str(TREE / "runtime/python")}
            said = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
            self.assertIn(why, said.stdout)


@unittest.skipUnless(USABLE, f"there is no {LIBRARY} that Python can load")
class Answers(unittest.TestCase):
    """On the tables that were built."""

    def test_valid_and_shapes(self) -> None:
        self.assertTrue(rulesmith.valid("torch.mm", (2, 3), (3, 4)))
        self.assertFalse(rulesmith.valid("torch.mm", (2, 3), (5, 4)))
        self.assertTrue(rulesmith.valid("torch.mm-0", symbols=[2, 3, 3, 4]))
        self.assertEqual(rulesmith.shapes("torch.mm", input=(2, 3), mat2=(3, 4)), ((2, 4),))
        self.assertEqual(rulesmith.shapes("torch.nn.functional.conv2d", (1, 3, 8, 8), Tensor((4, 3, 3, 3))), ((1, 4, 6, 6),))
        with self.assertRaisesRegex(Refused, "torch.mm does not accept"):
            rulesmith.shapes("torch.mm", (2, 3), (5, 4))

    def test_what_is_not_known(self) -> None:
        with self.assertRaisesRegex(UnknownCall, "no table has an API"):
            rulesmith.valid("torch.nothing", (1,))
        with self.assertRaisesRegex(UnknownCall, r"mm\(input\[_, _\], mat2\[_, _\]\)"):
            rulesmith.valid("torch.mm", (2, 3), 4)
        with self.assertRaisesRegex(UnknownCall, "no rule for these arguments"):
            rulesmith.valid("torch.mm", (2, 3), (3, 4), nothing=1)
        with self.assertRaisesRegex(ValueError, "has 4 symbols, not 3"):
            rulesmith.valid("torch.mm-0", symbols=[1, 2, 3])
        with self.assertRaisesRegex(UnknownCall, "there are neuri, isra, graph, calls, of"):
            next(rulesmith.models("nothing"))
        with self.assertRaises(UnknownCall):
            next(rulesmith.models("torch", api="nothing.*"))

    def test_a_call_binds_to_its_symbols(self) -> None:
        bound = 0
        for framework in rulesmith.frameworks():
            for model in rulesmith.models(framework, 40, seed=5, strategy="calls"):
                name = model["nodes"][0]["op"]
                for op in rulesmith.operators(name):
                    symbols = op.sample(3, 1, 8, 65536, False) if op.has_rule else None
                    call = op.build(symbols) if symbols is not None else None
                    if call is not None and call.valid:
                        self.assertEqual(op.bind(call.args, call.kwargs), list(call.symbols), call)
                        self.assertEqual(rulesmith.shapes(op.name, *call.args, **call.kwargs), call.shapes)
                        bound += 1
        self.assertGreater(bound, 100)

    def test_sample(self) -> None:
        first = rulesmith.sample("torch.nn.functional.conv2d", 3)
        self.assertEqual(first, rulesmith.sample("torch.nn.functional.conv2d", 3))
        self.assertTrue(first.valid)
        small = rulesmith.sample("torch.matmul", 4, high=2)
        self.assertLessEqual(max(small.symbols), 2)
        args, _ = small.arguments(lambda tensor: tensor.shape)
        self.assertEqual(args, [tensor.shape for tensor in small.args])

    def test_models(self) -> None:
        some = list(rulesmith.models("onnx", 3, seed=9, nodes=4))
        self.assertEqual(some[1:], list(rulesmith.models("onnx", 2, seed=9, first=1, nodes=4)))
        self.assertEqual([len(model["nodes"]) for model in some], [4, 4, 4])

    def test_names_are_looked_up_only(self) -> None:
        self.assertIs(Name("os.path").find(), os.path)
        with self.assertRaisesRegex(UnknownCall, "no module that is imported"):
            Name("os.system('true')").find()


if __name__ == "__main__":
    unittest.main()
