"""With ONNX: calls of one version of an operator as calls of another, and calls with attributes that no record has."""

import importlib.util
import json
import tempfile
import unittest
from pathlib import Path
from typing import Any
from unittest import mock

import numpy as np

HAVE_ONNX = all(importlib.util.find_spec(name) is not None for name in ("onnx", "onnxruntime"))
TABLE = Path("traces/onnx/UNRECORDED.tsv")


def _table() -> set[tuple[str, str, str]]:
    rows = [line.split("\t") for line in TABLE.read_text(encoding="ascii").splitlines()[1:]]
    return {(row[0], row[1], row[2]) for row in rows}


@unittest.skipUnless(HAVE_ONNX, "onnx and onnxruntime are not installed here")
class Attributes(unittest.TestCase):
    """traces.collect.frameworks.onnx.attributes."""

    def schema(self, name: str, version: int) -> Any:
        """The schema of a version."""
        from rulefuzz.frameworks.onnx_evaluate import history

        return next(schema for schema in history()[name] if schema.since_version == version)

    def translated(self, name: str, old: int, new: int, inputs: list[Any], attributes: dict[str, Any]) -> Any:
        """The translations of a call."""
        from traces.collect.frameworks.onnx.attributes.translate import translations
        from traces.collect.frameworks.onnx.cases import Case

        case = Case("", inputs, attributes, 1)
        made = list(translations(case, self.schema(name, old), self.schema(name, new)))
        return [([None if v is None else v.tolist() for v in found.inputs], found.attributes) for found in made]

    def test_translations(self) -> None:
        """An attribute becomes an input and the reverse; a number may be a scalar or a vector; the rest is dropped."""
        x = np.ones((2, 3), np.float32)
        pads = np.array([0, 1, 0, 1])
        same = x.tolist()
        self.assertEqual(self.translated("Pad", 11, 2, [x, pads], {"mode": b"edge"}),
                         [([same], {"mode": b"edge", "pads": [0, 1, 0, 1]})])  # fmt: skip
        self.assertEqual(self.translated("Pad", 2, 11, [x], {"mode": b"edge", "pads": [0, 1, 0, 1]}),
                         [([same, [0, 1, 0, 1]], {"mode": b"edge"})])  # fmt: skip
        self.assertEqual(self.translated("TopK", 1, 10, [x], {"k": 2, "axis": 0}),
                         [([same, 2], {"axis": 0}), ([same, [2]], {"axis": 0})])  # fmt: skip
        self.assertEqual(self.translated("BatchNormalization", 7, 14, [x] * 5, {}), [([same] * 5, {})])
        self.assertEqual(self.translated("Clip", 11, 6, [x, None, np.array(2.0, np.float32)], {}), [([same], {"max": 2.0})])
        self.assertEqual(self.translated("AveragePool", 22, 7, [x], {"ceil_mode": 1, "count_include_pad": 1}),
                         [([same], {"count_include_pad": 1})])  # fmt: skip

    def test_a_required_input_that_the_source_lacks(self) -> None:
        sizes = np.array([2, 6])
        found = self.translated("Resize", 13, 11, [np.ones((2, 3), np.float32), None, None, sizes], {})
        self.assertEqual([[len(value) for value in inputs] for inputs, _ in found],
                         [[2, 4, 4, 2], [2, 4, 0, 2], [2, 0, 4, 2], [2, 0, 0, 2]])  # fmt: skip

    def collected(self, api: str, lines: list[Any]) -> list[Any]:
        """The records of an API after a collection beside these lines."""
        from traces.collect.frameworks.onnx.attributes import __main__ as command

        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            text = "".join(json.dumps(line) + "\n" for line in lines)
            if lines:
                (folder / f"{api}.jsonl").write_text(text, encoding="ascii")
            with mock.patch("builtins.print"):
                self.assertEqual(command.main([str(folder), "--only", api, "--jobs", "1"]), 0)
            path = folder / f"{api}.jsonl"
            made = path.read_text(encoding="ascii") if path.exists() else ""
        self.assertTrue(made.startswith(text))
        return [json.loads(line) for line in made.splitlines()]

    def test_every_attribute(self) -> None:
        """The records of a version with one signature get all attributes and values, with numbers behind the first."""
        record = {"op": "onnx.AveragePool_7-4", "api": "onnx.AveragePool_7", "framework": "onnx", "version": "1", "args": [
            {"name": "X", "pos": True, "value": {"tensor": ["s0", "s1", "s2", "s3"], "dtype": "float32"}},
            {"name": "kernel_shape", "pos": False, "value": ["s4", "s5"]}],
            "outputs": [{"tensor": ["o0", "o1", "o2", "o3"], "dtype": "float32"}], "dtypes": [[["float32"], ["float32"]]],
            "source": ["nodes"], "pass": [[[1, 1, 4, 4, 2, 2], [1, 1, 3, 3]]], "fail": []}  # fmt: skip
        made = self.collected("onnx.AveragePool_7", [record])
        self.assertEqual([line["op"] for line in made], [f"onnx.AveragePool_7-{4 + i}" for i in range(len(made))])
        given = {(arg["name"], json.dumps(arg["value"])) for line in made for arg in line["args"]}
        self.assertLessEqual({"pads", "strides", "kernel_shape"}, {name for name, _ in given})
        self.assertIn(("count_include_pad", '{"const": "1"}'), given)
        for text in ("SAME_UPPER", "SAME_LOWER", "VALID"):
            self.assertIn(("auto_pad", f'{{"const": "\'{text}\'"}}'), given)

    def test_a_number_of_groups(self) -> None:
        """It divides two dimensions, and is a symbol, not a flag."""
        made = self.collected("onnx.ConvInteger", [])
        groups = [(line, arg["value"]) for line in made for arg in line["args"] if arg["name"] == "group"]
        self.assertTrue(groups)
        for line, symbol in groups:
            self.assertIn(2, [values[int(symbol[1:])] for values, _ in line["pass"]])

    def test_values_of_strings(self) -> None:
        """Words of the description or of an error are values if another word is rejected; else quoted ones."""
        from traces.collect.frameworks.onnx.attributes.domain import domain_of
        from traces.collect.frameworks.onnx.cases import Case

        def refusal(case: Case) -> str | None:
            value = case.attributes.get("auto_pad", "NOTSET")
            return None if value in ("NOTSET", "VALID", "SECRET") else f"{value}: expected NOTSET, VALID or SECRET"

        schema = self.schema("AveragePool", 7)
        case = Case("", [np.ones((1, 1, 2, 2), np.float32)], {"kernel_shape": [2, 2]}, 1)
        found = domain_of(schema, [case], [case], refusal)
        self.assertEqual(sorted(found.values["auto_pad"]), ["NOTSET", "SECRET", "VALID"])
        self.assertEqual(found.values["auto_pad"][0], "NOTSET")
        self.assertEqual(found.values["count_include_pad"], ["0", "1"])
        case = Case("", [np.ones((1, 1, 2, 2), np.float32)], {}, 1)
        found = domain_of(self.schema("Pad", 18), [case], [case], lambda made: None)  # also accepts NONSENSE
        self.assertEqual(found.values["mode"], ["constant", "reflect", "edge"])

    def test_pairs(self) -> None:
        """Every two values of two attributes are together in a call, and each is alone in one."""
        from traces.collect.frameworks.onnx.attributes.domain import ALONE, Domain
        from traces.collect.frameworks.onnx.attributes.search import Search
        from traces.collect.frameworks.onnx.cases import Case

        domain = Domain(self.schema("AveragePool", 19), {"auto_pad": ["NOTSET", "VALID"], "ceil_mode": ["0", "1"],
                                                         "count_include_pad": ["0", "1"]})  # fmt: skip
        case = Case("", [np.ones((1, 1, 2, 2), np.float32)], {"kernel_shape": [2, 2]}, 1)
        search = Search(domain, [case], [], [], lambda made: "no" if "dilations" in made.attributes else None, 30)
        found = search.run([case])
        pairs = {pair for made in [case, *found] for pair in domain.pairs_of(made)}
        for name, text in (("auto_pad", "VALID"), ("ceil_mode", "1"), ("count_include_pad", "1")):
            self.assertIn(((name, text), ALONE), pairs)
        self.assertLessEqual({pair for pair in domain.pairs() if pair[1][0] in domain.values}, pairs)
        self.assertEqual(search.reasons[("dilations", "given")], "no")

    def test_the_records_are_complete(self) -> None:
        """Each attribute of a version in use is in a record or in the table of those that no call has, not in both."""
        from traces.collect.frameworks.onnx.attributes.version import versions

        listed = {row[:2] for row in _table() if row[2] == "given"}
        for api, version in versions().items():
            path = Path(f"traces/onnx/{api}.jsonl")
            lines = path.read_text(encoding="ascii").splitlines() if path.exists() else []
            given = {arg["name"] for line in lines for arg in json.loads(line)["args"] if json.loads(line)["pass"]}
            if lines or not version.schema.domain:
                lacking = {(api, name) for name in version.schema.attributes} - {(api, name) for name in given}
                self.assertEqual(lacking, {row for row in listed if row[0] == api}, api)


if __name__ == "__main__":
    unittest.main()
