"""Learns which calls write to their inputs and which results share memory with an input, by running recorded calls.

    python -m traces.collect.frameworks.torch.aliases [FOLDER] [--jobs N]

writes FOLDER/ALIASES.tsv (docs/reference/file-formats.md). A written input has another version afterwards. A result that is an
input, or has its storage, is an alias. Inputs are dense, transposed and strided, since some calls return a view or a copy. An
alias is undeclared if the schema of the operator that makes it does not mention it (unsafe_split).
"""

from __future__ import annotations

import argparse
import itertools
import json
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import torch

from rulefuzz import sandbox
from rulefuzz.effects.torch import Declared
from traces.collect.call import arglist
from traces.collect.call.spec import Json
from traces.collect.frameworks.torch.adapter import Pools, TorchCall
from traces.collect.frameworks.torch.delicate import _stepped, _swapped, _tensors
from traces.collect.records.write import table, write_file

RECORDS, ROWS = 12, 4
"""Records run per operator in each layout, and tuples of dtypes."""
PLACES = 120
"""Records by which the condition for results without overlapping elements is found."""
ENOUGH = 0.25
"""Share of the results without overlapping elements that a condition must cover."""
SECONDS = 20
ANY, NEVER, ALWAYS = "?", "never", "always"


@dataclass
class Seen:
    """The observations of an operator's calls."""

    writes: set[int] = field(default_factory=set)
    """The inputs that a call writes to."""
    shapes: bool = False
    """Whether a call changes the shape or strides of an input."""
    results: list[set[str]] = field(default_factory=list)
    """For each result its relations: "f" fresh, "s0" input 0 itself, "v0" another tensor with its storage. In capitals if dense
    inputs give a result that is not."""
    overlaps: list[tuple[Sequence[int], int, int, bool]] = field(default_factory=list)
    """Symbols, elements of a result and of its input, and whether elements of the result share an address."""


def _plain(tensor: torch.Tensor) -> torch.Tensor:
    return tensor


def _storage(tensor: torch.Tensor) -> int:
    return int(tensor.untyped_storage()._cdata)


def overlaps(tensor: torch.Tensor) -> bool:
    """Whether two elements have one address."""
    last = sum((size - 1) * stride for size, stride in zip(tensor.shape, tensor.stride(), strict=True))
    if not tensor.numel():
        return False
    places = torch.arange(last + 1).as_strided(tensor.shape, tensor.stride())
    return int(places.unique().numel()) < int(tensor.numel())


Layout = Callable[[torch.Tensor], torch.Tensor]


def _arguments(operator: Json, call: TorchCall, values: Sequence[int],
               layout: Layout) -> tuple[list[Any], dict[str, Any], list[torch.Tensor]]:  # fmt: skip
    """Positional and named arguments, and the input tensors among them in order."""
    positional, named = call.arguments(tuple(values), "ones")
    inputs: list[torch.Tensor] = []

    def laid(value: Any) -> Any:
        if isinstance(value, list):
            return [laid(item) for item in value]
        if isinstance(value, torch.Tensor):
            inputs.append(layout(value))
            return inputs[-1]
        return value

    places = iter(positional)
    found = []
    for arg in operator["args"]:
        value = next(places) if arg["pos"] else named[arg["name"]]
        found.append((arg, value if '"elements"' in json.dumps(arg["value"]) else laid(value)))
    return [value for arg, value in found if arg["pos"]], {arg["name"]: value for arg, value in found if not arg["pos"]}, inputs


def _look(operator: Json, call: TorchCall, values: Sequence[int], layout: Layout, seen: Seen) -> bool:
    """Runs one call. Returns whether it succeeded."""
    positional, named, inputs = _arguments(operator, call, values, layout)
    before = [(tensor._version, tensor.shape, tensor.stride()) for tensor in inputs]
    try:
        with torch.no_grad():
            result = call.function(*positional, **named)
    except Exception:
        return False
    seen.writes |= {i for i, (tensor, was) in enumerate(zip(inputs, before, strict=True)) if tensor._version != was[0]}
    seen.shapes |= any((tensor.shape, tensor.stride()) != was[1:] for tensor, was in zip(inputs, before, strict=True))
    made = _tensors(list(result) if isinstance(result, tuple) else result)
    for place, tensor in enumerate(made):
        if place == len(seen.results):
            seen.results.append(set())
        same = next((i for i, other in enumerate(inputs) if other is tensor), None)
        shared = next((i for i, other in enumerate(inputs) if _storage(other) == _storage(tensor)), None)
        kind = "f" if shared is None else f"v{shared}" if same is None else f"s{same}"
        seen.results[place].add(kind.upper() if layout is _plain and not tensor.is_contiguous() else kind)
        if layout is _plain and shared is not None:
            seen.overlaps.append((values, tensor.numel(), inputs[shared].numel(), overlaps(tensor)))
    return True


def _is_undeclared(operator: Json, call: TorchCall, values: Sequence[int]) -> bool:
    """Whether an operator within the call returns an alias of an input that its schema does not mention."""
    positional, named, inputs = _arguments(operator, call, values, _plain)
    try:
        with torch.no_grad(), Declared({_storage(tensor) for tensor in inputs}) as declared:
            call.function(*positional, **named)
    except Exception:
        return False
    return bool(declared.broken)


def relation(found: set[str]) -> str:
    """The relation of a result to the inputs: "f", "s0", "v0", "m0" (fresh or an alias of input 0), or "?"."""
    kinds = {kind.lower() for kind in found}
    inputs = {kind[1:] for kind in kinds if kind != "f"}
    if len(inputs) > 1:
        return ANY
    said = "m" if len(kinds) > 1 and "f" in kinds else "v" if len(kinds) > 1 else min(kinds)[0]
    return (said if kinds == found else said.upper()) + (inputs.pop() if inputs else "")


def _numbers(operator: Json) -> tuple[list[int], list[list[int]]]:
    """The symbols of integer arguments, and those of arguments that are lists of integers."""
    values = [arg["value"] for arg in operator["args"]]
    lists = [value for value in values if isinstance(value, list) and value and all(isinstance(item, str) for item in value)]
    return ([int(value[1:]) for value in values if isinstance(value, str)],
            [[int(item[1:]) for item in value] for value in lists])  # fmt: skip


def _nested(sizes: Sequence[int], strides: Sequence[int]) -> bool:
    """Whether each stride exceeds the span of the smaller ones, so that no two elements have one address."""
    filled = 1
    for stride, size in sorted(zip(strides, sizes, strict=True)):
        if size > 1 and stride < filled:
            return False
        filled += (size - 1) * stride if size > 1 else 0
    return True


Condition = Callable[[Sequence[int], int, int], bool]
"""Of a call's symbols, and the elements of its result and of the input."""


def _ordered(one: int, other: int) -> Condition:
    return lambda values, made, taken: values[one] >= values[other]


def _strided(sizes: Sequence[int], strides: Sequence[int]) -> Condition:
    return lambda values, made, taken: _nested([values[i] for i in sizes], [values[i] for i in strides])


def _conditions(operator: Json) -> Iterator[tuple[str, Condition]]:
    """Conditions that may imply results without overlapping elements, and how they are evaluated. The number of elements comes
    last: a record that refutes it is rare."""
    yield ALWAYS, lambda values, made, taken: True
    numbers, lists = _numbers(operator)
    for one, other in itertools.permutations(numbers, 2):
        yield f"s{one}>=s{other}", _ordered(one, other)
    for sizes, strides in itertools.permutations(lists, 2):
        if len(sizes) == len(strides):
            yield f"s{sizes[0]}:s{strides[0]}:{len(sizes)}", _strided(sizes, strides)
    yield "numel", lambda values, made, taken: made <= taken


def disjoint(operator: Json, seen: Seen) -> str:
    """The first condition that covers many results without overlapping elements and no other."""
    apart = sum(not overlap for *_, overlap in seen.overlaps)
    for name, holds in _conditions(operator):
        covered = [overlap for values, made, taken, overlap in seen.overlaps if holds(values, made, taken)]
        if not any(covered) and len(covered) >= ENOUGH * apart:
            return name
    return NEVER


def row(operator: Json, pools: Pools) -> list[str]:
    """The operator's row; empty if its results are fresh and it writes to no input."""
    seen, ran = Seen(), False
    own = list(arglist.dtypes(operator["args"]))
    rows = [own, *[ins for ins, _ in operator["dtypes"] if ins != own][: ROWS - 1]]
    full = arglist.full(operator)
    records = [record[0] for record in arglist.spread(full, RECORDS)]
    for dtypes in rows:
        call = TorchCall(operator["api"], arglist.with_dtypes(operator["args"], dtypes), pools)
        for values in records:
            for layout in (_plain, _stepped, _swapped):
                ran |= _look(operator, call, values, layout, seen)
    kinds = [relation(found) for found in seen.results]
    if not ran:
        return [operator["op"], ANY, ANY, NEVER]
    if not seen.writes and not seen.shapes and all(kind == "f" for kind in kinds):
        return []
    seen.overlaps.clear()
    call = TorchCall(operator["api"], operator["args"], pools)
    for record in arglist.spread(full, PLACES):
        _look(operator, call, record[0], _plain, seen)
    if any(_is_undeclared(operator, call, values) for values in records):
        kinds = [re.sub("[svm]", "u", kind, flags=re.I) for kind in kinds]
    writes = ",".join(map(str, sorted(seen.writes))) or "."
    return [operator["op"], "shape" if seen.shapes else writes, ",".join(kinds) or ".", disjoint(operator, seen)]


def rows(operators: Sequence[Json], pools: Pools) -> list[list[str]]:
    """The rows of operators, in a child that may die; then each operator gets its own child."""
    limits = sandbox.Limits(wall=SECONDS * len(operators))
    found, end = sandbox.call(lambda: [row(operator, pools) for operator in operators], limits)
    if end.done:
        return [item for item in found if item]
    if len(operators) > 1:
        return [item for operator in operators for item in rows([operator], pools)]
    return [[operators[0]["op"], ANY, ANY, NEVER]]


def main(argv: Sequence[str] | None = None) -> int:
    """The command."""
    parser = argparse.ArgumentParser(prog="python -m traces.collect.frameworks.torch.aliases")
    parser.add_argument("folder", nargs="?", type=Path, default=Path("traces/torch"))
    parser.add_argument("--only", metavar="GLOB", default="*", help="print the rows of these APIs instead of writing the table")
    options = parser.parse_args(argv)
    torch.set_num_threads(1)
    pools, found = Pools(), []
    for path in sorted(options.folder.glob(f"{options.only}.jsonl")):
        found += rows([json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()], pools)
    text = table(("op", "writes", "returns", "disjoint"), found)
    if options.only != "*":
        sys.stdout.write(text)
    else:
        write_file(options.folder / "ALIASES.tsv", text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
