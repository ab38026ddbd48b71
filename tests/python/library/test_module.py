"""rulesmith: struct layouts against the compiler's, converted calls, answers, models and error messages."""

from __future__ import annotations

import ctypes
import os
import subprocess
import sys
import unittest
from pathlib import Path
from typing import Any

TREE = Path(__file__).resolve().parents[3]
LIBRARY = Path(os.environ.get("RULESMITH_LIBRARY") or TREE / os.environ.get("BUILD", "build") / "librulesmith.so")
USABLE = LIBRARY.exists() and b"__asan_init" not in LIBRARY.read_bytes()
os.environ["RULESMITH_LIBRARY"] = str(LIBRARY)

import rulesmith  # noqa: E402 - after what says which library
from rulesmith import InvalidCall, Name, Tensor, UnknownCall, library  # noqa: E402


class Layout(unittest.TestCase):
    """Tests that need no library. With one, all structs are compared."""

    def test_structs(self) -> None:
        golden = (TREE / f"tests/golden/abi/{library.RS_LIBRARY_ABI}.txt").read_text().splitlines()
        if USABLE:
            library.load()  # which names the fields of Features
        for name, struct in library.MIRRORED.items():
            if not USABLE and not hasattr(struct, "_fields_"):
                continue
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
    """Tests on the built rule tables."""

    def test_valid_and_shapes(self) -> None:
        self.assertTrue(rulesmith.valid("torch.mm", (2, 3), (3, 4)))
        self.assertFalse(rulesmith.valid("torch.mm", (2, 3), (5, 4)))
        self.assertTrue(rulesmith.valid("torch.mm-0", symbols=[2, 3, 3, 4]))
        self.assertEqual(rulesmith.shapes("torch.mm", input=(2, 3), mat2=(3, 4)), ((2, 4),))
        self.assertEqual(rulesmith.shapes("torch.nn.functional.conv2d", (1, 3, 8, 8), Tensor((4, 3, 3, 3))), ((1, 4, 6, 6),))

    def test_calls_bind_as_in_the_framework(self) -> None:
        asked: tuple[tuple[str, tuple[Any, ...], dict[str, Any], tuple[tuple[int, ...], ...]], ...] = (
            ("torch.mm", ((2, 3),), {"mat2": (3, 4)}, ((2, 4),)),
            ("torch.Tensor.view", (Tensor((2, 3, 4)), 4, 3, 2, 1), {}, ((4, 3, 2, 1),)),
            ("torch.Tensor.view", (Tensor((2, 3, 4)), (4, 3, 2, 1)), {}, ((4, 3, 2, 1),)),
            ("torch.nn.functional.conv2d", ((1, 3, 8, 8), (4, 3, 3, 3)), {"padding": (0, 0), "bias": None}, ((1, 4, 6, 6),)),
        )
        for name, args, kwargs, shapes in asked:
            self.assertEqual(rulesmith.shapes(name, *args, **kwargs), shapes, (name, args, kwargs))

    def test_dtypes_count(self) -> None:
        self.assertTrue(rulesmith.valid("torch.mm", Tensor((2, 3), "float64"), Tensor((3, 4), "float64")))
        self.assertFalse(rulesmith.valid("torch.mm", Tensor((2, 3), "bool"), Tensor((3, 4), "bool")))
        index, table = Tensor((2,), "int64", 0, 4), Tensor((5, 3), "int64")  # torch's indices have a dtype of their own
        self.assertTrue(rulesmith.valid("torch.nn.functional.embedding", index, table))
        self.assertTrue(rulesmith.valid("torch.mm", Tensor((2, 3), "uint8"), Tensor((3, 4), "uint8")))
        self.assertFalse(rulesmith.valid("torch.mm", Tensor((2, 3), "float64"), Tensor((3, 4), "float32")))

    def test_dtypes_of_outputs(self) -> None:
        half, long, single = Tensor((2, 3), "float16"), Tensor((2, 3), "int64"), Tensor((2, 3))
        self.assertEqual(rulesmith.dtypes("torch.add", half, long), ("float16",))
        self.assertEqual(rulesmith.dtypes("torch.add", long, 1.5), ("float32",))
        self.assertEqual(rulesmith.dtypes("torch.cat", (half, long, single)), ("float32",))
        self.assertEqual(rulesmith.dtypes("torch.sum", Tensor((2, 3), "bool")), ("int64",))
        self.assertEqual(rulesmith.dtypes("torch.sum", long, dtype=rulesmith.Name("torch.float64")), ("float64",))
        self.assertEqual(rulesmith.dtypes("onnx.Cast", single, to=11), ("float64",))
        with self.assertRaisesRegex(InvalidCall, "the dtypes are rejected: input must not be int64, but one of float16, "):
            rulesmith.dtypes("torch.mean", long)
        with self.assertRaisesRegex(InvalidCall, "weight is float16, but must be float32 as input"):
            rulesmith.dtypes("torch.nn.functional.conv2d", Tensor((1, 3, 8, 8)), Tensor((4, 3, 3, 3), "float16"))
        with self.assertRaises(UnknownCall):
            rulesmith.dtypes("torch.add", (2, 3), (2, 3))

    def test_a_rejected_call_names_its_numbers(self) -> None:
        one = r"^torch.mm rejects input\[1\] = 3, mat2\[0\] = 5; accepted with (input\[1\] = 5|mat2\[0\] = 3) or "
        with self.assertRaisesRegex(InvalidCall, one):
            rulesmith.shapes("torch.mm", (2, 3), (5, 4))
        two = r"rejects input\[2\] = 2, input\[3\] = 2; accepted with input\[2\] = 3 and input\[3\] = 3$"
        with self.assertRaisesRegex(InvalidCall, two):
            rulesmith.shapes("torch.nn.functional.conv2d", (1, 3, 2, 2), (4, 3, 3, 3))

    def test_an_unknown_call_is_short_and_near(self) -> None:
        name, message = "torch.nn.functional.conv2d", ""
        try:
            rulesmith.valid(name, (1, 3, 8, 8, 8, 8), (4, 3, 3, 3), stride=2, padding=1)
        except UnknownCall as unknown:
            message = str(unknown)
        self.assertLessEqual(len(message), 300)
        self.assertRegex(message, r"conv2d\(\[_, _, _, _, _, _\], \[_, _, _, _\], stride=_, padding=_\): .*; nearest: conv2d\(")
        for typed, meant in (("conv2d", "torch.conv2d or"), ("torch.nn.functional.con2d", f"mean {name} or"), ("relv", "relu")):
            with self.assertRaisesRegex(UnknownCall, f"no rule for '{typed}'; did you mean .*{meant}|{meant}"):
                rulesmith.valid(typed)

    def test_unknown_names(self) -> None:
        with self.assertRaisesRegex(UnknownCall, "^no rule for 'torch.nothing'"):
            rulesmith.valid("torch.nothing", (1,))
        with self.assertRaisesRegex(UnknownCall, r"mm\(input\[_, _\], mat2\[_, _\]\)"):
            rulesmith.valid("torch.mm", (2, 3), 4)
        with self.assertRaisesRegex(
            UnknownCall, r"torch.mm\(\[_, _\], \[_, _\], nothing=_\): no overload of the framework .*; nearest: mm\("
        ):
            rulesmith.valid("torch.mm", (2, 3), (3, 4), nothing=1)
        with self.assertRaisesRegex(ValueError, "has 4 symbols, not 3"):
            rulesmith.valid("torch.mm-0", symbols=[1, 2, 3])
        with self.assertRaisesRegex(UnknownCall, "strategies are neuri, isra, graph, calls; frameworks are "):
            next(rulesmith.models("nothing"))
        with self.assertRaises(UnknownCall):
            next(rulesmith.models("torch", api="nothing.*"))

    def test_calls_bind_to_their_symbols(self) -> None:
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
        self.assertTrue(all(len(model["nodes"]) >= 4 for model in some))  # the last step may insert a chain

    def test_names_are_not_evaluated(self) -> None:
        self.assertIs(Name("os.path").find(), os.path)
        with self.assertRaisesRegex(UnknownCall, "no module that is imported"):
            Name("os.system('true')").find()


if __name__ == "__main__":
    unittest.main()
