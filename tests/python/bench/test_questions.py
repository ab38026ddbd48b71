"""Questions about dtypes and shapes as arguments of records."""

from __future__ import annotations

import unittest
from pathlib import Path

from tests.bench import calls, dtypes
from traces.collect.call.written import question, questions


class Questions(unittest.TestCase):
    def test_tensors_ranges_elements_and_constants(self) -> None:
        asked = question("m.f(f32[2,3], bf16[], axis=i32(0), ids=i64[2] in 0..4, to=7)")
        self.assertEqual((asked.api, asked.values), ("m.f", (2, 3, 2, 0, 5)))
        self.assertEqual([arg["value"] for arg in asked.args], [
            {"tensor": ["s0", "s1"], "dtype": "float32"}, {"tensor": [], "dtype": "bfloat16"},
            {"elements": {"const": "0"}, "dtype": "int32"}, {"tensor": ["s2"], "dtype": "int64", "range": ["s3", "s4"]},
            {"const": "7"}])  # fmt: skip
        self.assertEqual([arg["pos"] for arg in asked.args], [True, True, False, False, False])

    def test_names_that_end_with_digits_are_no_elements(self) -> None:
        self.assertEqual(question("jax.numpy.arctan2(f32[2], i32(3))").api, "jax.numpy.arctan2")

    def test_each_framework_has_its_questions(self) -> None:
        for package, least in (
            (dtypes, {"torch": 50, "onnx": 50, "tensorflow": 50}),
            (calls, {"jax": 100, "onnx": 150, "tensorflow": 150}),
        ):
            for framework, count in least.items():
                asked = questions(Path(package.__path__[0]) / f"{framework}.txt")
                self.assertGreaterEqual(len({one.text for one in asked}), count)


if __name__ == "__main__":
    unittest.main()
