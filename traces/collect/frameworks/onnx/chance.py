"""Marks operators as random (`"random"`): two implementations may differ, so models mark them and no oracle compares them.

    python -m traces.collect.frameworks.onnx.chance [FOLDER or FILE.jsonl …]      (default: traces/onnx)

A seeded generator repeats itself, but ONNX does not specify which numbers it gives. So the script compares two
implementations, onnxruntime and the reference evaluator. An operator is marked in two cases. Either one of them gives
other elements with another seed on some record, and the other one, if it can run it, does not give the same elements for
the same seed. Or one of them does not give the same elements twice on all records tried (if on some only, it reads
uninitialized memory: a bug). Differences that do not depend on the seed are not randomness: one implementation is wrong
(`disagree`).
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from onnx import defs

from rulefuzz import sandbox
from rulefuzz.framework import Rejected, Unanswered
from rulefuzz.frameworks.onnx_evaluate import NoKernel
from traces.collect.call import arglist
from traces.collect.call.spec import Json, Values
from traces.collect.frameworks.onnx.adapter import OnnxAdapter, load
from traces.collect.frameworks.onnx.model import OnnxCall
from traces.collect.frameworks.onnx.runners import Evaluator, Runtime, elements_of
from traces.collect.judge.framework import NotTensors
from traces.collect.records.write import operator_line, write_file

RECORDS = 3
"""Records tried, those with most output elements: a few elements may be equal by chance."""
LARGEST = 1 << 14
"""Maximum elements per tensor of a record."""
FILLS = ("small", "normal", "ones")
"""Fills: probabilities, any floats, and flags that are on."""
SEEDS = (1, 2)
SECONDS = 60.0
"""For all operators of an API."""
ROUNDING = 1e-2
"""Tolerance between two implementations, absolute and relative, for any float dtype."""

Outputs = list[Any]


def with_seed(call: OnnxCall, args: Sequence[Json], seed: int) -> list[Json]:
    """The arguments with this seed added or replaced."""
    kind = call.schema.attributes["seed"].type
    text = str(float(seed) if kind == defs.OpSchema.AttrType.FLOAT else seed)
    others = [arg for arg in args if arg["name"] != "seed"]
    return [*others, {"name": "seed", "pos": False, "value": {"const": text}}]


def _ways(adapter: OnnxAdapter, call: OnnxCall, values: Values) -> Iterator[Callable[[], Any]]:
    """Both implementations, newly created."""
    model = call.model(values)
    serialised = model.SerializeToString()
    if call.opset <= adapter.opset:
        yield lambda: Runtime(serialised, adapter.options(), strings=call.strings)
    yield lambda: Evaluator(model, call.classes)


def _answers(adapter: OnnxAdapter, call: OnnxCall, values: Values, fill: str) -> list[Outputs | None]:
    """The result of each implementation, None if it fails."""
    found: list[Outputs | None] = []
    arrays = [tensor.array(values, fill, adapter.pools) for tensor in call.inputs]
    for make in _ways(adapter, call, values):
        try:
            found.append([elements_of(value) for value in make().run(call.inputs, arrays, call.names)])
        except (Rejected, Unanswered, NotTensors, NoKernel):
            found.append(None)
    return found


def same(one: Outputs, two: Outputs, by: float = 0.0) -> bool:
    """True if two results are equal, floats within `by`. Dtypes that numpy lacks count as equal."""
    return all(a is None or b is None or (a.shape == b.shape and _equal(a, b, by)) for a, b in zip(one, two, strict=True))


def _equal(one: np.ndarray, two: np.ndarray, by: float) -> bool:
    if one.dtype.kind == "f" and by:
        return bool(np.isclose(one.astype(np.float64), two.astype(np.float64), rtol=by, atol=by, equal_nan=True).all())
    return bool(np.array_equal(one, two, equal_nan=one.dtype.kind == "f"))


def _differ(some: Sequence[Outputs | None], others: Sequence[Outputs | None]) -> bool:
    """True if an implementation's two results are equal."""
    return any(one is not None and two is not None and not same(one, two) for one, two in zip(some, others, strict=True))


def repeats(adapter: OnnxAdapter, call: OnnxCall, values: Values) -> bool:
    """For each implementation, whether it gives the same elements twice."""
    return not _differ(*(_answers(adapter, call, values, FILLS[0]) for _ in range(2)))


def is_seeded(adapter: OnnxAdapter, api: str, args: Sequence[Json], values: Values) -> bool:
    """True if a call's elements depend on a seed, differently in each implementation."""
    own = adapter.compile(api, args)
    if "seed" not in own.schema.attributes:
        return False
    calls = [adapter.compile(api, with_seed(own, args, seed)) for seed in SEEDS]
    for fill in FILLS:
        one, two = (_answers(adapter, call, values, fill) for call in calls)
        heard = [outputs for outputs in one if outputs is not None]
        if _differ(one, two) and not (len(heard) > 1 and same(heard[0], heard[1], ROUNDING)):
            return True
    return False


def _tried(operator: Json) -> list[Values]:
    """The records to try."""
    tensors = arglist.tensors(operator["args"])

    def size(row: Json, symbols: Sequence[str]) -> int:
        return int(np.prod([row[0][int(symbol[1:])] for symbol in symbols]))

    rows = [row for row in arglist.full(operator) if all(size(row, tensor["tensor"]) <= LARGEST for tensor in tensors)]
    rows = [row for row in rows if 0 < np.prod(row[1]) <= LARGEST]
    return [tuple(values) for values, _ in sorted(rows, key=lambda row: (-int(np.prod(row[1])), row[0]))[:RECORDS]]


def is_random(adapter: OnnxAdapter, operator: Json) -> bool:
    """True if an operator is to be marked."""
    api, args, tried = operator["api"], operator["args"], _tried(operator)
    if any(is_seeded(adapter, api, args, values) for values in tried):
        return True
    call = adapter.compile(api, args)
    return bool(tried) and all(not repeats(adapter, call, values) for values in tried)


def marked(operator: Json, random: bool) -> Json:
    """The operator with the mark or without, its keys in the order of a record."""
    made: Json = {}
    for key, value in operator.items():
        if key != "random":
            made[key] = value
        if key == "dtypes" and random:
            made["random"] = True
    return made


def _all(adapter: OnnxAdapter, operators: Sequence[Json]) -> list[bool]:
    return [is_random(adapter, operator) for operator in operators]


def judge_files(paths: Sequence[Path], adapter: OnnxAdapter, _: int = 1) -> int:
    """Rewrites the files of APIs whose marks changed; returns the number of marked operators."""
    count = 0
    for path in paths:
        operators = [json.loads(line) for line in path.read_text(encoding="ascii").splitlines()]
        answers = sandbox.call(partial(_all, adapter, operators), sandbox.Limits(wall=SECONDS))[0]
        if answers is None:  # the child died of something else
            continue
        count += sum(answers)
        made = [marked(operator, answer) for operator, answer in zip(operators, answers, strict=True)]
        if made != operators:
            write_file(path, "".join(operator_line(operator) + "\n" for operator in made))
    return count


def main() -> int:
    """The command."""
    given = [Path(text) for text in sys.argv[1:]] or [Path("traces/onnx")]
    files = [file for path in given for file in (sorted(path.glob("*.jsonl")) if path.is_dir() else [path])]
    print(f"{judge_files(files, load())} operators are random")
    return 0


if __name__ == "__main__":
    sys.exit(main())
