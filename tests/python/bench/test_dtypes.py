"""The questions of tests.bench.dtypes as arguments of records."""

from __future__ import annotations

import unittest

from tests.bench.dtypes.questions import question, questions


class Questions(unittest.TestCase):
    def test_tensors_ranges_elements_and_constants(self) -> None:
        asked = question("m.f(f32[2,3], bf16[], axis=i32(0), ids=i64[2] in 0..4, to=7)")
        self.assertEqual((asked.api, asked.values), ("m.f", (2, 3, 2, 0, 5)))
        self.assertEqual([arg["value"] for arg in asked.args], [
            {"tensor": ["s0", "s1"], "dtype": "float32"}, {"tensor": [], "dtype": "bfloat16"},
            {"elements": {"const": "0"}, "dtype": "int32"}, {"tensor": ["s2"], "dtype": "int64", "range": ["s3", "s4"]},
            {"const": "7"}])  # fmt: skip
        self.assertEqual([arg["pos"] for arg in asked.args], [True, True, False, False, False])

    def test_each_framework_has_fifty(self) -> None:
        for framework in ("torch", "onnx", "tensorflow"):
            self.assertGreaterEqual(len(questions(framework)), 50)


if __name__ == "__main__":
    unittest.main()
