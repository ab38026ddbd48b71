"""Untrusted models: any JSON is read or rejected, and an accepted model only calls APIs that have records."""

from __future__ import annotations

import ast
import copy
import importlib.util
import json
import random
import re
import sys
import unittest
from typing import Any

if importlib.util.find_spec("numpy") is None:
    raise unittest.SkipTest("no numpy")

from rulefuzz import assignments, table
from rulefuzz.model import DEPTH, UNREADABLE, BadModel, Const, Model, Reader, is_public, literal
from rulefuzz.script import repro, source

Json = Any
DIALECT = source.Dialect("torch", "torch.clone({})", "torch.tensor", "torch.Tensor.", "torch.tensor({})")
OWN = {"torch.clone", "torch.tensor", "torch.int64", "torch.float32", "torch.strided"}
"""Names in generated sources besides APIs."""
OUTSIDE = (
    "os.system", "__import__('os').system", "torch.hub.load", "torch.load", "torch.save", "torch.utils.os.system",
    "torch.os.system", "torch.serialization.load", "torch.jit.load", "torch.compile", "torch.ops.load_library",
    "torch.classes.load_library", "torch.package.PackageImporter", "torch.utils.cpp_extension.load_inline",
    "torch.distributed.rpc.rpc_sync", "torch.from_file", "torch._C._jit_set_profiling_mode", "torch.Tensor.apply_",
    "torch.Tensor.map_", "torch.Tensor.register_hook", "torch.Tensor.__reduce_ex__", "torch.Tensor.__class__",
    "torch.Tensor.__init_subclass__", "torch.add.__globals__", "torch.add;os.system", "torch.add\nimport os",
    "torch.add(1)", "torch.\u0430dd", "torch.add ", " torch.add", "torch..add", "torch", "", "eval", "exec", "builtins.exec",
    "tf.io.write_file", "tf.raw_ops.WriteFile", "tf.raw_ops.PyFunc", "tf.raw_ops.ReadFile", "tf.py_function",
    "tf.saved_model.load",
    "onnx.load", "onnx.hub.load", "../../etc/passwd", "onnx.Loop\u0000",
)  # fmt: skip
CONSTANTS = (
    "__import__('os').system('touch HERE')", "os.system", "torch.load", "torch.os", "torch.utils", "torch.hub.load",
    "(lambda: 1)()",
    "[x for x in ().__class__.__base__.__subclasses__()]", "f'{1}'", "1 if 1 else 2", "a", "1;2", "print(1)", "{**{}}",
    "(" * 10**5,
    "-" * 10**5 + "1", "9" * 10**5, "'\\", "\x00", "torch.float32.__class__", "tf.io.write_file", "tf.DType.__init__",
)  # fmt: skip
ODD: tuple[Json, ...] = (
    None, True, -1, 0, 2**63, -(2**63) - 1, 2**64, 10**400, 1e400, -1e400, float("nan"), -0.0, 1.5, "", "x\x00", "\ud800",
    "v0); import os #",
    "'\"\\\n*/", [], {}, [[]], {"ref": 0}, {"ref": -1}, {"ref": 1e400}, {"const": "os.system"}, {"const": 7},
    {"elements": [1], "dtype": "os"}, {"elements": {"ref": 0}, "dtype": "float32"},
)  # fmt: skip


class Torch:
    """Replaces torch's reader functions, and checks that every resolved API has records."""

    apis = table.apis("torch")

    def resolve(self, api: str) -> Any:
        """See Names."""
        if api not in self.apis:
            raise AssertionError(api)
        return api

    def constant(self, text: str) -> Const:
        """See Names."""
        return Const(text, text) if text in ("torch.float32", "torch.strided") else literal(text)

    def has_dtype(self, name: str) -> bool:
        """See Names."""
        return name in ("float32", "int64")


def tensor(i: int, **more: Json) -> Json:
    """A tensor."""
    return {"id": i, "shape": [2, 3], "dtype": "float32", **more}


MODEL: Json = {
    "model": 1, "framework": "torch", "values": 7, "index": 3, "dims": {"a": [2, 4]},
    "inputs": [tensor(0, range=[0, 5], dims=["a", None]), tensor(1, constant=True), tensor(2, strides=[3, 1], offset=1)],
    "nodes": [
        {"op": "torch.add-0", "api": "torch.add", "outputs": [tensor(3, also=[[4, 3]])],
         "args": [{"name": "input", "pos": True, "value": {"ref": 0, "copy": True}}, {"name": "other", "pos": True,
         "value": {"ref": 1}},
                  {"name": "alpha", "pos": False, "value": {"const": "1.5"}}]},
        {"op": "torch.Tensor.view-0", "api": "torch.Tensor.view", "outputs": [tensor(4)],
         "args": [{"name": "input", "pos": True, "value": {"ref": 3}}, {"name": "size", "pos": True, "value": [2, 3]}]},
        {"op": "torch.take-0", "api": "torch.take", "outputs": [tensor(5)],
         "args": [{"name": "input", "pos": True, "value": {"ref": 4, "range": [0, 2]}},
                  {"name": "index", "pos": False, "value": {"elements": [[0, 1]], "dtype": "int64"}}]},
    ],
    "outputs": [4, 5],
}  # fmt: skip


def read(item: Json) -> Model:
    """Reads a model as the worker does."""
    try:
        return assignments.read(item, Reader(Torch()).model(item))
    except UNREADABLE as error:
        raise BadModel from error


def places(item: Json) -> list[tuple[Any, Any]]:
    """All containers of a JSON value with each of their keys."""
    keys: Any = item if isinstance(item, dict) else range(len(item)) if isinstance(item, list) else ()
    found = [(item, key) for key in keys]
    for key in keys:
        found += places(item[key])
    return found


def strangers(text: str) -> set[str]:
    """Names and statements of a generated source besides tensors, literals and calls of APIs that have records."""
    tree = ast.parse(text)
    inner = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Attribute)}  # torch.Tensor of torch.Tensor.add
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and not re.fullmatch(r"[vc]\d+|_|torch", node.id):
            found.add(node.id)
        elif isinstance(node, ast.Attribute) and id(node) not in inner:
            name = ast.unparse(node)
            if name not in Torch.apis | OWN and (name.startswith("torch.") or f"torch.Tensor.{node.attr}" not in Torch.apis):
                found.add(name)
        elif isinstance(node, (ast.Lambda, ast.Import, ast.ImportFrom, ast.ClassDef, ast.Subscript, ast.Starred, ast.Await)):
            found.add(type(node).__name__)
    return found


class Hostile(unittest.TestCase):
    """See the module."""

    def test_valid_model_is_read(self) -> None:
        self.assertEqual(strangers(source.source(read(MODEL), DIALECT, lambda _: True, [], [4, 5])), set())

    def test_no_records_of_apis_that_access_files_or_run_code(self) -> None:
        for framework in table.frameworks():
            known = table.apis(framework)
            self.assertEqual(known & set(OUTSIDE), set())
            self.assertEqual([api for api in known if not is_public(api)], [])

    def test_unknown_apis_are_rejected(self) -> None:
        for api in (*OUTSIDE, None, 1, ["torch.add"], {"torch.add": 1}):
            item = copy.deepcopy(MODEL)
            item["nodes"][0]["api"] = api
            with self.assertRaises(BadModel, msg=repr(api)):
                read(item)

    def test_constants_are_literals(self) -> None:
        for text in CONSTANTS:
            item = copy.deepcopy(MODEL)
            item["nodes"][0]["args"][2]["value"]["const"] = text
            with self.assertRaises(BadModel, msg=text[:80]):
                read(item)

    def test_names_of_arguments_are_plain(self) -> None:
        for name in ("x=1, y", "a b", "lambda", "x)\nimport os\n(", "\u0430", "", "__import__('os')", None, 3):
            item = copy.deepcopy(MODEL)
            item["nodes"][0]["args"][2]["name"] = name
            with self.assertRaises(BadModel, msg=repr(name)):
                read(item)

    def test_deep_lists_and_huge_numbers(self) -> None:
        deep: Json = 1
        for _ in range(900):  # as deep as C's reader allows
            deep = [deep]
        few: Json = 1
        for _ in range(DEPTH + 1):
            few = [few]
        limit = sys.getrecursionlimit()
        sys.setrecursionlimit(limit + 5000)  # torch._inductor raises the limit like this for the rest of the process
        try:
            for value in (deep, {"elements": deep, "dtype": "int64"}, few, {"elements": few[0], "dtype": "int64"}):
                item = copy.deepcopy(MODEL)
                item["nodes"][1]["args"][1]["value"] = value
                with self.assertRaises(BadModel):
                    read(item)
        finally:
            sys.setrecursionlimit(limit)
        for number in (1e400, -1e400, float("nan")):
            item = copy.deepcopy(MODEL)
            item["inputs"][0]["shape"] = [number]
            with self.assertRaises(BadModel):
                read(item)

    def test_replaced_values(self) -> None:
        count = len(places(MODEL))
        taken = 0
        for place in range(count):
            for odd in ODD:
                item = copy.deepcopy(MODEL)
                container, key = places(item)[place]
                container[key] = odd
                try:
                    model = read(item)
                except BadModel:
                    continue
                taken += 1
                text = source.source(model, DIALECT, lambda _: True, [], model.outputs)
                self.assertEqual(strangers(text), set(), (key, odd))
        self.assertGreater(taken, 100)

    def test_missing_and_duplicate_values(self) -> None:
        pick = random.Random(1)
        for _ in range(500):
            item = copy.deepcopy(MODEL)
            for _ in range(pick.randrange(1, 4)):
                container, key = pick.choice(places(item))
                other, place = pick.choice(places(item))
                with_it = copy.deepcopy(other[place])
                if pick.random() < 0.5:
                    container[key] = with_it
                else:
                    del container[key]
            try:
                model = read(json.loads(json.dumps(item)))
            except BadModel:
                continue
            text = source.source(model, DIALECT, lambda _: True, [], model.outputs)
            self.assertEqual(strangers(text), set())

    def test_titles_stay_in_the_docstring(self) -> None:
        class Named:
            """A stand-in for a framework or a target."""

            name = "n"

            def versions(self) -> dict[str, str]:
                """Without versions."""
                return {}

        for title in ('"""\nimport os\n"""', "\\", '\\"""', "a\x00b", "\u202e\u2066", "\ud800", "\x1b[31m\r\n", "'''"):
            text = repro.header(Named(), Named(), title)  # type: ignore[arg-type]
            (statement,) = ast.parse(text.encode()).body
            self.assertIsInstance(statement, ast.Expr)
            self.assertNotRegex(text, "[\x00-\x09\x0b-\x1f\u202e\u2066]")


if __name__ == "__main__":
    unittest.main()
