"""With PyTorch: calls are rebuilt and judged. Skipped if torch cannot be imported."""

import importlib.util
import json
import subprocess
import sys
import tempfile
import unittest
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from traces.collect.call import arglist
from traces.collect.call.spec import Json, TensorSpec, Values
from traces.collect.call.symbolise import symbolise
from traces.collect.judge.verdict import FAIL, MIXED, OTHER, PASS, judge

HAVE_TORCH = importlib.util.find_spec("torch") is not None


@unittest.skipUnless(HAVE_TORCH, "torch is not installed here")
class Torch(unittest.TestCase):
    """torch_adapter and the naming of arguments in torch_names."""

    adapter: Any

    @classmethod
    def setUpClass(cls) -> None:
        """One adapter for all."""
        from traces.collect.frameworks.torch.adapter import TorchAdapter

        cls.adapter = TorchAdapter()

    def verdict(self, api: str, arguments: Sequence[tuple[str, bool, object]], values: Values | None = None) -> str:
        """The verdict on a call, with its own or with other values."""
        call = symbolise(api, arguments)
        compiled = self.adapter.compile(api, call.args)
        outputs = self.adapter.run(compiled, call.values, "zeros")
        types = [(len(dims), dtype) for dims, dtype in outputs]
        return judge(self.adapter, compiled, values or call.values, types).kind

    def test_verdicts(self) -> None:
        """A broadcast, a mismatch, an index that depends on elements, a squeeze to another rank."""
        pair = [("input", True, TensorSpec((2, 3), "float32")), ("other", True, TensorSpec((2, 3), "float32"))]
        self.assertEqual(self.verdict("torch.add", pair, (2, 3, 1, 3)), PASS)
        self.assertEqual(self.verdict("torch.add", pair, (2, 3, 2, 2)), FAIL)
        take = [("input", True, TensorSpec((4,), "float32")), ("index", True, TensorSpec((2,), "int64"))]
        self.assertEqual(self.verdict("torch.take", take), MIXED)
        squeeze = [("input", True, TensorSpec((1, 3), "float32"))]
        self.assertEqual(self.verdict("torch.squeeze", squeeze, (2, 3)), OTHER)

    def test_methods_and_keywords(self) -> None:
        """torch.Tensor.NAME gets the tensor as first argument."""
        call = symbolise("torch.Tensor.sum", [("self", True, TensorSpec((2, 3), "float32")), ("dim", False, 1)])
        compiled = self.adapter.compile(call.api, call.args)
        self.assertEqual(self.adapter.run(compiled, call.values, "normal"), (((2,), "float32"),))
        self.assertTrue(self.adapter.deterministic(compiled, call.values))

    def test_random_is_not_deterministic(self) -> None:
        """A fixed input does not make the result reproducible."""
        call = symbolise("torch.rand_like", [("input", True, TensorSpec((9,), "float32"))])
        self.assertFalse(self.adapter.deterministic(self.adapter.compile(call.api, call.args), call.values))

    def test_names(self) -> None:
        """From schemas for built-in functions, from signatures for Python ones."""
        import torch

        from traces.collect.frameworks.torch.names import name_arguments

        x = torch.ones(2, 3)

        def names(api: str, function: object, *args: object, **kwargs: object) -> list[str]:
            return [name for name, _, _ in name_arguments(api, function, args, kwargs)]

        self.assertEqual(names("torch.narrow", torch.narrow, x, 0, 0, 1), ["input", "dim", "start", "length"])
        self.assertEqual(names("torch.max", torch.max, x, x), ["input", "other"])
        self.assertEqual(names("torch.Tensor.view", torch.Tensor.view, x, 3, 2), ["self", "size"])
        self.assertEqual(names("torch.arange", torch.arange, 1, end=3), ["start", "end"])
        self.assertEqual(names("torch.repeat_interleave", torch.repeat_interleave, x, repeats=2), ["input", "repeats"])
        softmin = torch.nn.functional.softmin
        self.assertEqual(names("torch.nn.functional.softmin", softmin, x, 1), ["input", "dim"])

    def test_written(self) -> None:
        """An argument changed in place is marked, even if its elements are equal; views and results are not."""
        from traces.collect.frameworks.torch.adapter import Pools
        from traces.collect.frameworks.torch.delicate import judge

        def writes(api: str, count: int) -> list[int]:
            call = symbolise(api, [(f"x{i}", True, TensorSpec((2, 3), "float32")) for i in range(count)])
            dtypes = [[["float32"] * count, ["float32"]]]
            operator = {"api": api, "args": call.args, "dtypes": dtypes, "pass": [[list(call.values), [2, 3]]]}
            return list(judge(operator, Pools()).get("writes", []))

        self.assertEqual(writes("torch.Tensor.add_", 2), [0])
        self.assertEqual(writes("torch.nan_to_num_", 1), [0])
        self.assertEqual(writes("torch.add", 2), [])
        self.assertEqual(writes("torch.Tensor.view_as", 2), [])

    def test_forms(self) -> None:
        """An in-place method gets the function's calls under its own names; a reversed operator gets its
        operands."""
        import torch

        from traces.collect.frameworks.torch.calls import Collection
        from traces.collect.frameworks.torch.twins import add_twins

        collection = Collection()
        collection.add("torch.add", torch.add, (torch.ones(2, 3), torch.ones(3)), {}, "opinfo")
        add_twins(collection)
        for api in ("torch.Tensor.add_", "torch.Tensor.__radd__", "torch.Tensor.__iadd__"):
            (call,) = collection.plans[api].calls
            self.assertEqual([arg["name"] for arg in call.args], ["self", "other"])
            self.assertEqual((call.values, call.source), ((2, 3, 3), "twin"))
        self.assertTrue(collection.plans["torch.Tensor.add_"].to_json()["limits"])
        self.assertFalse(collection.plans["torch.add"].to_json()["limits"])
        self.assertFalse(collection.has("torch.Tensor.mul_"))

    def test_examples(self) -> None:
        """Statements of a docstring; failing ones are skipped; in-place calls are recorded with their original
        arguments."""
        from traces.collect.frameworks.torch.docs import examples, run

        text = """Example::

            >>> x = torch.ones(2, 3)
            >>> y = unknown(x)
            tensor(...)
            >>> for i in range(2):
            ...     x.t_()
        """
        self.assertEqual(examples(text)[2], "for i in range(2):\n    x.t_()")
        calls = run(examples(text))["torch.Tensor.t_"]["calls"]
        self.assertEqual([call[1] for call in calls], [(2, 3), (3, 2)])

    def test_probe(self) -> None:
        """Arguments from the schema: calls that run are kept, with a constant dim."""
        from traces.collect.frameworks.torch.probe import probe

        calls = probe("torch.Tensor.narrow_copy")["torch.Tensor.narrow_copy"]["calls"]
        self.assertTrue(calls)
        for args, _, source, _ in calls:
            self.assertEqual(source, "probe")
            self.assertIn("const", args[1]["value"])

    def test_refine(self) -> None:
        """Calls with an index range: a range narrower than recorded is accepted, as predicted."""
        root = Path(__file__).resolve().parents[3]
        with tempfile.TemporaryDirectory() as folder:
            lines = []
            for api in ("torch.embedding", "torch.index_select", "torch.take"):
                text = (root / "traces" / "torch" / f"{api}.jsonl").read_text()
                Path(folder, f"{api}.jsonl").write_text(text)
                lines += [model_of(*case) for case in narrower(json.loads(text.splitlines()[0]))]
            command = [sys.executable, "-m", "traces.collect.cli.refine", "torch", folder]
            done = subprocess.run(command, cwd=folder, text=True, input="\n".join(lines), env={"PYTHONPATH": str(root)},
                                  capture_output=True, check=False)  # fmt: skip
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual(done.stdout, f"refine: {len(lines)} calls run, 0 wrong predictions, of 0 operators\n")
        self.assertGreater(len(lines), 2)


def narrower(operator: Json) -> Iterator[tuple[Json, list[int], list[int]]]:
    """Passing records after the first whose range is new and narrower by one."""
    ranges, known = arglist.ranges(operator["args"]), [values for values, _ in operator["pass"]]
    for values, out in operator["pass"]:
        new = list(values)
        for _, low, high in ranges:
            new[high] -= new[high] - new[low] > 1
        if new != values and new not in known:
            yield operator, new, out


def model_of(operator: Json, values: list[int], out: list[int]) -> str:
    """The model of one call of the operator with these symbols."""
    inputs: list[Json] = []

    def written(leaf: Json) -> Json:
        if isinstance(leaf, str):
            return values[int(leaf[1:])]
        if "tensor" in leaf:
            made = {"id": len(inputs), "shape": list(map(written, leaf["tensor"])), "dtype": leaf["dtype"]}
            inputs.append({**made, **({"range": list(map(written, leaf["range"]))} if "range" in leaf else {})})
            return {"ref": made["id"]}
        return leaf

    args, dims = arglist.map_leaves(operator["args"], written), iter(out)
    outputs = [{"id": 100 + i, "shape": [next(dims) for _ in tensor["tensor"]], "dtype": tensor["dtype"]}
               for i, tensor in enumerate(operator["outputs"])]  # fmt: skip
    node = {"op": operator["op"], "api": operator["api"], "args": args, "outputs": outputs}
    return json.dumps({"inputs": inputs, "nodes": [node], "outputs": []})


if __name__ == "__main__":
    unittest.main()
