"""Records the calls of chains as operators, from which patterns are generated (docs/explanation/models.md).

    python -m traces.collect.frameworks.onnx.chains traces/onnx

reads CHAINS.models and PAIRS.models, and writes forms/API.jsonl: the calls of the chains, and these with other ranks, axes
and flags. onnx and onnxruntime decide which are valid, as for other records.
"""

from __future__ import annotations

import functools
import itertools
import json
import os
import re
import sys
import warnings
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import numpy as np

from rulefuzz.frameworks.onnx_evaluate import schema_and_opset, split_name
from traces.collect.call.ranks import HIGHEST_RANK
from traces.collect.call.ranks import SOURCE as RANKS
from traces.collect.call.spec import Call
from traces.collect.frameworks import registry
from traces.collect.frameworks.onnx.attributes.recorded import array_of, case_of
from traces.collect.frameworks.onnx.calls.turned import AXES, Turn
from traces.collect.frameworks.onnx.cases import OPTION, TYPES, Case, flags, formal_of
from traces.collect.frameworks.onnx.source import DTYPE_CODE, Collector
from traces.collect.judge import workers
from traces.collect.judge.guard import Guarded
from traces.collect.records import write
from traces.collect.records.operators import collect_api
from traces.collect.records.settings import Budget, Settings

SETTINGS = Settings(1, Budget(trials=320, fruitless=80, passing=72, failing=72, passing_if_no_failure=24), functions=48)
CHAIN = "chains"
LINES = 3
"""Chains in which an API must occur. Operators of old sets are omitted: their signatures would be twice as many."""
BASES = 3
"""Calls of an API, with different structures, whose ranks vary."""
FIRST = 1000
"""The number of the first signature of an API, beyond those of the other records."""
LISTED = 12
"""Integers of an input that are listed one by one, as in other records."""
Json = Any


def _array(value: Json, tensors: dict[int, Json]) -> np.ndarray | None:
    """An input with the shape and dtype of the chain's; its elements if the chain states them."""
    if "ref" in value:
        tensor = tensors[value["ref"]]
        low, high = tensor.get("range", (1, 2))
        kind = np.dtype(tensor["dtype"]) if tensor["dtype"] != "bfloat16" else np.dtype("float32")
        return np.full(tensor["shape"], min(low, high - 1) if kind.kind in "iu" else 1, kind)
    return array_of(value, ())


def cases(line: Json) -> Iterator[tuple[str, Case]]:
    """The calls of a chain."""
    tensors = {tensor["id"]: tensor for tensor in line["inputs"]}
    for node in line["nodes"]:
        case = case_of(node["api"], node["args"], functools.partial(_array, tensors=tensors))
        tensors |= {tensor["id"]: tensor for tensor in node["outputs"]}
        yield node["api"], replace(case, outputs=max(case.outputs, len(node["outputs"])), source=CHAIN)


def _resized(value: np.ndarray, rank: int) -> np.ndarray:
    """The value with dimensions removed or added at the front."""
    dims = value.shape[value.ndim - rank :] if rank <= value.ndim else (1,) * (rank - value.ndim) + value.shape
    return np.resize(value, dims)


def _is_tensor(case: Case, place: int) -> bool:
    value = case.inputs[place]
    return value is not None and not (place and value.dtype.kind == "i" and value.ndim == 1 and value.size <= LISTED)


def paired(case: Case) -> Iterator[Case]:
    """The case with every rank of its first inputs that are tensors, and each two exchanged."""
    places = [place for place in range(len(case.inputs)) if _is_tensor(case, place)][:2]
    for ranks in itertools.product(range(HIGHEST_RANK + 1), repeat=len(places)):
        inputs = list(case.inputs)
        for place, rank in zip(places, ranks, strict=True):
            inputs[place] = _resized(inputs[place], rank)
        yield replace(case, inputs=inputs, source=RANKS)


def _axes(rank: int) -> Iterator[list[int]]:
    yield from ([axis] for axis in (-1, rank - 1, 1, -2, 0, 2) if -rank <= axis < rank)
    yield from ([axis, axis + 1] for axis in (-2, rank - 2, 0) if rank > 1)
    yield list(range(rank))


def turned(case: Case, schema: Any) -> Iterator[Case]:
    """The case with its first input at every rank, and with other axes."""
    for rank in range(1, HIGHEST_RANK + 1):
        if not case.inputs or case.inputs[0] is None:
            return
        first = case.inputs[0]
        turn = Turn(first.ndim, rank, front=True, without=0)
        inputs = [_resized(v, rank) if v is not None and v.ndim == first.ndim and _is_tensor(case, p) else v
                  for p, v in enumerate(case.inputs)]  # fmt: skip
        attributes = dict(case.attributes)
        for name, value in case.attributes.items():
            listed = turn.listed(value) if schema.attributes[name].type == TYPES.INTS else None
            attributes[name] = value if listed is None else listed
        yield from _with_axes(replace(case, inputs=inputs, attributes=attributes, source=RANKS), schema, rank)


def _with_axes(case: Case, schema: Any, rank: int) -> Iterator[Case]:
    at = [name for name in case.attributes if AXES.match(name)]
    place = next((p for p in range(1, len(case.inputs)) if (f := formal_of(schema, p)) and AXES.match(f.name)), None)
    if not at and place is None:
        yield case
        return
    for axes in _axes(rank):
        inputs, attributes = list(case.inputs), dict(case.attributes)
        for name in at:
            many = isinstance(attributes[name], list)
            if not many and len(axes) > 1:
                break
            attributes[name] = axes if many else axes[0]
        else:
            if place is not None and case.inputs[place] is not None:
                scalar = case.inputs[place].ndim == 0
                if scalar and len(axes) > 1:
                    continue
                inputs[place] = np.array(axes[0] if scalar else axes, np.int64)
            yield replace(case, inputs=inputs, attributes=attributes)


def _structure(case: Case) -> tuple[Any, ...]:
    return tuple(v is not None for v in case.inputs), tuple(sorted(case.attributes)), case.outputs


class _Forms(Collector):
    """The calls of chains, and variants of them, as plans."""

    def fill(self, api: str, found: Sequence[Case]) -> None:
        """Adds the calls of one API."""
        try:
            schema, _ = schema_and_opset(api, self.schemas)
        except Exception:  # an operator of another domain
            return
        switches = flags(schema, found)
        fixed = switches | {name for name in schema.attributes if DTYPE_CODE.search(name)}
        for case in found:
            self.add(api, schema, case, fixed)
        bases: dict[tuple[Any, ...], Case] = {}
        for case in found:
            bases.setdefault(_structure(case), case)
        variadic = any(formal.option == OPTION.Variadic for formal in schema.inputs)
        for case in list(bases.values())[:BASES]:
            for other in turned(case, schema):
                for flipped in _flipped(other, schema, switches):
                    self.add(api, schema, flipped, fixed)
            if not variadic:
                for other in paired(case):
                    self.add(api, schema, other, fixed)


def _flipped(case: Case, schema: Any, switches: frozenset[str]) -> Iterator[Case]:
    """The case, and with each of its flags flipped."""
    yield case
    for name in sorted(switches & set(schema.attributes)):
        if name in case.attributes:
            yield replace(case, attributes={**case.attributes, name: 1 - case.attributes[name]})


def plans(*paths: Path) -> dict[str, Json]:
    """The calls of the chains of these files, by API."""
    warnings.simplefilter("ignore")
    np.seterr(all="ignore")
    found: dict[str, list[Case]] = defaultdict(list)
    lines: Counter[str] = Counter()
    for path in paths:
        for line in path.read_text(encoding="ascii").splitlines():
            made = list(cases(json.loads(line)))
            lines.update({api for api, _ in made})
            for api, case in made:
                found[api].append(case)
    forms = _Forms()
    for api, calls in sorted(found.items()):
        if lines[api] >= LINES and split_name(api)[1] is None:
            forms.fill(api, calls)
    return {api: plan.to_json() for api, plan in forms.plans.items() if plan.calls}


def _renumbered(line: str, api: str) -> str:
    """The record line with a name that no other signature of the API has."""
    return re.sub(rf'"op":"{re.escape(api)}-(\d+)"', lambda found: f'"op":"{api}-{FIRST + int(found[1])}"', line, count=1)


def main(folder: Path, jobs: int) -> int:
    """Writes the records of all forms."""
    plan = plans(folder / "CHAINS.models", folder / "PAIRS.models")
    framework, out = registry.load("onnx"), folder / "forms"
    out.mkdir(exist_ok=True)

    def work(api: str, guard: Any) -> Json:
        guarded = cast(Guarded, guard(framework))
        calls = [Call(api, args, tuple(values), source, bad) for args, values, source, bad in plan[api]["calls"]]
        return collect_api(guarded, api, calls, plan[api]["dtypes"], SETTINGS, guarded.hangs)

    runs = workers.run(sorted(plan), jobs, work, Path("build/traces/onnx/forms"), frozenset(), registry.limits("onnx"))
    for done, (api, answer, _) in enumerate(runs, 1):
        lines = (answer or {}).get("lines", [])
        if lines:
            write.write_file(out / f"{api}.jsonl", "".join(f"{_renumbered(line, api)}\n" for line in lines))
        print(f"{done} of {len(plan)} APIs", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else os.cpu_count() or 1))
