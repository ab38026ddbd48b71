"""Marks the inputs that TensorFlow's operators write to (`"writes"`): models pass copies of these.

    python -m traces.collect.frameworks.tensorflow.writes [DIR or FILE.jsonl …]      (default: traces/tensorflow)

A few raw operators change a tensor in place (InplaceUpdate), which later readers of the tensor see. Every operator is
called on some of its passing records, and its inputs are compared before and after. A child that dies costs one API.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path

import numpy as np

from rulefuzz import sandbox
from traces.collect.call import arglist
from traces.collect.call.spec import Json
from traces.collect.frameworks.tensorflow import adapter as tensorflow_adapter
from traces.collect.records.write import operator_line, write_file

RECORDS = 4
SECONDS = 60


def _tensors(value: Json) -> list[Json]:
    if isinstance(value, list):
        return [tensor for item in value for tensor in _tensors(item)]
    return [value] if hasattr(value, "numpy") else []


def _equal(one: np.ndarray, two: np.ndarray) -> bool:
    return bool((one == two).all()) if one.dtype.kind in "OS" else one.tobytes() == two.tobytes()


def _written(operator: Json, adapter: tensorflow_adapter.TensorFlowAdapter, values: Sequence[int]) -> set[int]:
    """The input tensors, numbered in argument order, whose elements a call changes."""
    call = adapter.compile(operator["api"], operator["args"])
    arguments = call.arguments(tuple(values), "normal", tensorflow_adapter.Building())
    inputs = [
        tensor
        for arg in operator["args"]
        if '"elements"' not in json.dumps(arg["value"])
        for tensor in _tensors(arguments[arg["name"]])
    ]
    before = [tensor.numpy().copy() for tensor in inputs]
    try:
        call.function(**arguments)
    except Exception:  # any exception of TensorFlow
        return set()
    return {i for i, (now, old) in enumerate(zip(inputs, before, strict=True)) if not _equal(now.numpy(), old)}


def writes(operator: Json, adapter: tensorflow_adapter.TensorFlowAdapter) -> list[int]:
    """The same over some of its records without empty tensors."""
    if '"held"' in json.dumps(operator["args"]):
        return []
    rows = [record[0] for record in arglist.spread(arglist.full(operator), RECORDS)]
    return sorted(set().union(*(_written(operator, adapter, values) for values in rows)))


def _all_writes(operators: Sequence[Json], adapter: tensorflow_adapter.TensorFlowAdapter) -> list[list[int]]:
    return [writes(operator, adapter) for operator in operators]


def judge_files(paths: Sequence[Path], adapter: tensorflow_adapter.TensorFlowAdapter, _: int = 1) -> int:
    """Rewrites the files of APIs that write to inputs; returns the number of operators that do."""
    found = 0
    for path in paths:
        operators = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
        answers = sandbox.call(partial(_all_writes, operators, adapter), sandbox.Limits(wall=SECONDS))[0]
        if not answers or not any(answers):
            continue
        for operator, answer in zip(operators, answers, strict=True):
            known = sorted(set(operator.get("writes", [])) | set(answer))
            if known:
                operator["writes"] = known
                found += 1
        write_file(path, "".join(operator_line(operator) + "\n" for operator in operators))
    return found


def main() -> int:
    """The command."""
    given = [Path(text) for text in sys.argv[1:]] or [Path("traces/tensorflow")]
    files = [file for path in given for file in (sorted(path.glob("*.jsonl")) if path.is_dir() else [path])]
    print(f"{judge_files(files, tensorflow_adapter.load())} operators write to an input")
    return 0


if __name__ == "__main__":
    sys.exit(main())
