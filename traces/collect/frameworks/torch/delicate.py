"""Marks delicate operators: their calls fail on elements that models produce, such as zeros, ones and non-finite values. It
also records which inputs a call writes to, or rejects if they are not contiguous (`"writes"`): models pass copies of
these.

    python -m traces.collect.frameworks.torch.delicate [FOLDER | FILE…]

A model's later calls work on results of earlier ones, which may be all zeros or hold a NaN. An operator that fails on
such elements (a decomposition of a singular matrix, a histogram of infinities) gets `"delicate":true`; the generator
gives it new inputs only. Dtype tuples that fail on records with elements are dropped. Each operator is tested in its own
process; one that dies or hangs is delicate and keeps its own dtypes only.
"""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import torch

from rulefuzz import sandbox
from traces.collect.call import arglist
from traces.collect.call.spec import Json
from traces.collect.frameworks.torch import adapter as torch_adapter
from traces.collect.records.write import operator_line, write_file

IN_PLACE = re.compile(r"[^_]_$")
FILLS = ("normal", "zeros", "ones", "nan", "inf")
RECORDS = 4
SECONDS = 20


def _filled(value: Any, element: float) -> Any:
    """The argument with every float tensor filled with one element."""
    if isinstance(value, torch.Tensor) and (value.is_floating_point() or value.is_complex()):
        return torch.full_like(value, element)
    if isinstance(value, list):
        return [_filled(item, element) for item in value]
    return value


def _runs(call: torch_adapter.TorchCall, values: Sequence[int], fill: str) -> bool:
    positional, named = call.arguments(tuple(values), fill if fill in ("normal", "zeros", "ones") else "normal")
    if fill in ("nan", "inf"):
        positional = [_filled(value, float(fill)) for value in positional]
        named = {name: _filled(value, float(fill)) for name, value in named.items()}
    try:
        with torch.no_grad():
            call.function(*positional, **named)
    except Exception:
        return False
    return True


def _tensors(value: Any) -> list[torch.Tensor]:
    if isinstance(value, torch.Tensor):
        return [value]
    return [tensor for item in value for tensor in _tensors(item)] if isinstance(value, list) else []


def _written(operator: Json, call: torch_adapter.TorchCall, values: Sequence[int]) -> set[int]:
    """The input tensors, numbered in argument order, that the call writes to: torch's version counter changes, or the
    elements differ, or the function's name ends in one underscore and it returns that tensor (detach_)."""
    positional, named = call.arguments(tuple(values), "normal")
    places = iter(positional)
    arguments = [next(places) if arg["pos"] else named[arg["name"]] for arg in operator["args"]]
    inputs = [
        (tensor, tensor.clone(), tensor._version)
        for arg, value in zip(operator["args"], arguments, strict=True)
        if '"elements"' not in json.dumps(arg["value"])
        for tensor in _tensors(value)
    ]
    try:
        with torch.no_grad():
            result = call.function(*positional, **named)
    except Exception:
        return set()
    in_place = IN_PLACE.search(operator["api"]) is not None
    return {
        i
        for i, (now, before, version) in enumerate(inputs)
        if now._version != version or not torch_adapter.same_elements(now, before) or (in_place and result is now)
    }


def _stepped(tensor: torch.Tensor) -> torch.Tensor:
    return tensor.repeat_interleave(2, -1)[..., ::2] if tensor.dim() else tensor


def _turned(tensor: torch.Tensor) -> torch.Tensor:
    order = list(reversed(range(tensor.dim())))
    return tensor.permute(order).contiguous().permute(order)


def _moved(tensor: torch.Tensor) -> torch.Tensor:
    return torch.cat([tensor.new_zeros(1), tensor.reshape(-1)])[1:].view(tensor.shape)


def _swapped(tensor: torch.Tensor) -> torch.Tensor:
    return tensor.transpose(-1, -2).contiguous().transpose(-1, -2) if tensor.dim() > 1 else tensor


def _conjugated(tensor: torch.Tensor) -> torch.Tensor:
    return tensor.conj().resolve_conj().conj() if tensor.is_complex() else tensor


def _expanded(tensor: torch.Tensor) -> torch.Tensor:
    return tensor.reshape(-1)[0].clone().expand(tensor.shape) if tensor.numel() else tensor


LAYOUTS = (_stepped, _turned, _swapped, _moved, _conjugated, _expanded)
"""Memory layouts that earlier calls of a model may produce."""


def _needs_plain(operator: Json, call: torch_adapter.TorchCall, values: Sequence[int]) -> set[int]:
    """The input tensors, numbered in argument order, that must be contiguous."""
    return {
        i
        for i in range(len(arglist.tensors(operator["args"])))
        for layout in LAYOUTS
        if _shapes(operator, call, values, i, layout) != _shapes(operator, call, values, i, _copied(layout))
    }


def _copied(layout: Callable[[torch.Tensor], torch.Tensor]) -> Callable[[torch.Tensor], torch.Tensor]:
    """The same elements, contiguous."""
    return lambda tensor: layout(tensor).clone(memory_format=torch.contiguous_format)


def _shapes(operator: Json, call: torch_adapter.TorchCall, values: Sequence[int], changed: int,
            layout: Callable[[torch.Tensor], torch.Tensor]) -> list[torch.Size] | None:  # fmt: skip
    """The outputs' shapes with one input in another layout; None if the call fails."""
    positional, named = call.arguments(tuple(values), "normal")
    places, count = iter(positional), iter(range(1 << 16))

    def laid(value: Any) -> Any:
        if isinstance(value, list):
            return [laid(item) for item in value]
        return layout(value) if isinstance(value, torch.Tensor) and next(count) == changed else value

    arguments = []
    for arg in operator["args"]:
        value = next(places) if arg["pos"] else named[arg["name"]]
        arguments.append(value if '"elements"' in json.dumps(arg["value"]) else laid(value))
    positional = [value for arg, value in zip(operator["args"], arguments, strict=True) if arg["pos"]]
    named = {arg["name"]: value for arg, value in zip(operator["args"], arguments, strict=True) if not arg["pos"]}
    try:
        with torch.no_grad():
            result = call.function(*positional, **named)
    except Exception:
        return None
    return [tensor.shape for tensor in _tensors(list(result) if isinstance(result, tuple) else result)]


def judge(operator: Json, pools: torch_adapter.Pools) -> Json:
    """The operator with its dtype tuples checked, and its marks."""
    rows = [record[0] for record in arglist.spread(arglist.full(operator), RECORDS)]
    kept, delicate, writes = [], False, set()
    own = list(arglist.dtypes(operator["args"]))
    for ins, outs in operator["dtypes"]:
        call = torch_adapter.TorchCall(operator["api"], arglist.with_dtypes(operator["args"], ins), pools)
        good = all(_runs(call, values, "normal") for values in rows)
        if not any("float" in dtype or "complex" in dtype for dtype in ins):  # new inputs contain zeros, too
            good = good and all(_runs(call, values, fill) for values in rows[:2] for fill in ("zeros", "ones"))
        if not good and ins != own:
            continue
        kept.append([ins, outs])
        if ins == own:
            writes = set().union(*(_written(operator, call, values) for values in rows))
            writes = writes.union(*(_needs_plain(operator, call, values) for values in rows))
        delicate = delicate or not all(_runs(call, values, fill) for values in rows[:2] for fill in FILLS)
    return _marked(operator, (kept, delicate, sorted(writes)))


def _judged_apart(operators: Sequence[Json], pools: torch_adapter.Pools) -> list[Json]:
    """The results of a child that may die; then each operator gets its own child.

    An operator that kills its child keeps its own dtypes and is delicate.
    """

    def work() -> list[Json]:
        answers = [judge(operator, pools) for operator in operators]
        return [[a["dtypes"], a.get("delicate", False), a.get("writes", [])] for a in answers]

    answers, end = sandbox.call(work, sandbox.Limits(wall=SECONDS * len(operators)))
    if end.done:
        return [_marked(*pair) for pair in zip(operators, answers, strict=True)]
    if len(operators) > 1:
        return [judged for operator in operators for judged in _judged_apart([operator], pools)]
    own = list(arglist.dtypes(operators[0]["args"]))
    return [_marked(operators[0], ([row for row in operators[0]["dtypes"] if row[0] == own], True, []))]


def _marked(operator: Json, answer: Sequence[Json]) -> Json:
    judged = {key: value for key, value in operator.items() if key not in ("delicate", "writes")}
    judged["dtypes"] = answer[0]
    if answer[1]:
        judged["delicate"] = True
    if answer[2]:
        judged["writes"] = answer[2]
    return judged


def judge_file(path: Path, pools: torch_adapter.Pools) -> None:
    """Rewrites one API's file."""
    lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    write_file(path, "".join(operator_line(judged) + "\n" for judged in _judged_apart(lines, pools)))


def judge_files(paths: Sequence[Path], _: object, jobs: int) -> None:
    """Rewrites these files, several in parallel."""
    pools = torch_adapter.Pools()

    def work(job: int) -> None:
        for path in paths[job::jobs]:
            judge_file(path, pools)

    children = [sandbox.fork(partial(work, job)) for job in range(jobs)]
    if any(os.waitpid(child, 0)[1] for child in children):
        raise RuntimeError("a process that judges operators died")


def main() -> int:
    torch.set_num_threads(1)
    given = [Path(text) for text in sys.argv[1:]] or [Path("traces/torch")]
    files = [file for path in given for file in (sorted(path.glob("*.jsonl")) if path.is_dir() else [path])]
    judge_files(files, None, os.cpu_count() or 1)
    return 0


if __name__ == "__main__":
    sys.exit(main())
