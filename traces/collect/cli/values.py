"""Learns which classes of element values each operator takes and gives, by running its recorded calls.

    python -m traces.collect.cli.values FRAMEWORK [--traces DIR] [--only GLOB] [--jobs N]

writes DIR/VALUES.tsv (docs/values.md): for each operator the widest class that each of its inputs takes such that the
call neither raises nor returns NaN or infinities, and the class of its outputs for inputs of each class.

An operator's calls are tried in several variants: tuples of dtypes, records, seen floats. For each, the search asks

    which class may all inputs have?      the widest that every drawing of it passes
    which may this input have instead?    the widest, one input after the other, with the others as they are by then

A drawing says how each tensor is filled: all elements at an end of the class, all 0, 1 or −1, or random ones; together
they try the ends against each other. What an operator takes is the narrowest of its tuples of dtypes; what it gives
the widest.
"""

from __future__ import annotations

import argparse
import fnmatch
import functools
import json
import math
import os
import signal
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from traces.collect.call import arglist
from traces.collect.call.spec import Json, Values
from traces.collect.cli.collect import Progress
from traces.collect.frameworks import registry
from traces.collect.judge import guard, workers
from traces.collect.judge.framework import Framework, NotTensors, Rejected, Unanswered
from traces.collect.judge.guard import Guarded
from traces.collect.records import write
from traces.collect.values import classes
from traces.collect.values.classes import ANY, COUNT, FINITE, NONE, SMALL, UNIT, Seen

RECORDS, MORE_RECORDS, OTHER_RECORDS = 3, 6, 2
"""Records tried of an operator: without other arguments than tensors, with such, and with other dtypes than its own."""
ELEMENTS = 2048
"""Elements of the inputs of a record together, if there are such records."""
ROWS = 6
"""Tuples of dtypes tried."""
MARGIN = 4
"""How many times larger elements may become than was seen, where they depend on the shapes."""
SAME = 1e-3
"""Relative difference of what counts as equal."""
KILLED = 2
"""Calls that hang or kill their process before the API gets no elements but small ones: each hang takes a second."""
SECONDS = 1.0
"""Processor time of a call: all are of small tensors."""
LIMIT = 6000
"""Calls of an operator: those that need more have no row."""

Row = Sequence[str]
Kinds = tuple[int, ...]
"""The class of each input that has one ("live")."""
Answer = tuple[Seen, ...]


@functools.lru_cache(32)
def drawings(count: int) -> list[tuple[str, ...]]:
    """The modes of `count` inputs, drawing by drawing, the constant ones at the ends (CORNERS) first."""
    low, high, zero, one, minus = classes.LOW, classes.HIGH, classes.ZERO, classes.ONE, classes.MINUS
    mixed = [high, "r3", low, zero, "r4", one, minus]
    found: list[tuple[str, ...]] = [
        (high,) * count,
        (low,) * count,
        *(tuple((first, second)[i >> bit & 1] for i in range(count)) for bit in (0, 1)
          for first, second in ((high, low), (low, high))),
        (zero,) * count,
        *(("r%d" % seed,) * count for seed in range(3)),
        *(tuple((first, second)[i % 2] for i in range(count)) for first, second in ((zero, high), ("r1", zero), (zero, "r2"))),
        (one,) * count,
        (minus,) * count,
        *(tuple(mixed[(step * i + step) % len(mixed)] for i in range(count)) for step in (1, 2, 3)),
    ]  # fmt: skip
    return list(dict.fromkeys(found))


CORNERS = 6
"""Of the drawings, so many are constant ones at the ends (fewer if there are fewer inputs)."""


def _corners(count: int) -> int:
    return min(CORNERS, 2 ** min(count, 2) if count < 3 else CORNERS)


@dataclass
class Variant:
    """One call of an operator: dtypes, a record, floats."""

    row: int
    call: object
    values: Values
    dims: Values
    """The output dimensions, as recorded."""
    elements: int
    """Of the inputs."""
    narrow: bool
    """Whether a dtype is."""


@dataclass
class Deaths:
    """How many of an API's calls hung or killed their process."""

    count: int = 0


class TooMany(Exception):
    """LIMIT calls."""


@dataclass
class Summary:
    """What one output was in all drawings of all variants of a tuple of dtypes."""

    dtype: str
    finite: bool
    low: float
    high: float
    ends: tuple[float, float]
    """The smallest of the drawing where all is low, the largest of that where all is high, over the variants that
    least have them: the largest of the smallest, the smallest of the largest."""
    steady: bool
    """Whether the extremes are those of constant inputs and the same for records of different sizes."""

    def stays(self, kind: int) -> bool:
        """Whether elements of a class stay in it and reach its end in each variant: as do copies, means and maxima."""
        if not self.finite or not classes.within(self.low, self.high, kind, self.dtype):
            return False
        low, high = classes.interval(kind, self.dtype)
        near = classes.slack(self.dtype)
        return self.dtype != "bool" and (abs(self.ends[0] - low) <= near * abs(low) or abs(self.ends[1] - high) <= near * abs(high))

    def bounds(self) -> tuple[float, float]:
        """The ends of the elements, with a margin where they may grow with the shapes."""
        if self.steady or self.dtype == "bool":
            return self.low, self.high
        low = self.low * MARGIN if self.low < 0 else self.low / MARGIN
        return low, self.high * MARGIN if self.high > 0 else self.high / MARGIN

    def kind(self, given: int | None) -> int:
        """The class of the output when the widest input has the class `given`."""
        if not self.finite:
            return ANY
        if given is not None and self.stays(given):
            return min(given, FINITE)
        return next((kind for kind in range(FINITE) if classes.within(*self.bounds(), kind, self.dtype)), FINITE)

    def safe(self, given: int | None) -> bool:
        """Whether it is finite, and stays so with larger shapes."""
        if not self.finite:
            return False
        if self.dtype not in classes.LIMITS or (given is not None and self.stays(given)):
            return True
        low, high = self.bounds()
        return max(-low, high) <= classes.LIMITS[self.dtype] * (1 + classes.SLACK)


@dataclass
class Operator:
    """One operator in work."""

    framework: Framework
    record: Json
    deaths: Deaths
    live: list[bool] = field(default_factory=list)
    """For each input tensor of the record whether its elements have classes, in some tuple of dtypes."""
    variants: list[Variant] = field(default_factory=list)
    calls: int = 0
    answers: dict[tuple[int, Kinds, bool], list[Answer] | None] = field(default_factory=dict)

    def run(self, which: int, kinds: Kinds, lax: bool) -> list[Answer] | None:
        """The outputs of all drawings of a variant; None if a call raises or returns other shapes or, unless lax,
        something that is not finite."""
        key = which, kinds, lax
        if key not in self.answers:
            self.answers[key] = self._run(self.variants[which], kinds, lax)
        return self.answers[key]

    def _run(self, variant: Variant, kinds: Kinds, lax: bool) -> list[Answer] | None:
        if self.deaths.count >= KILLED and max(kinds, default=UNIT) > SMALL:
            return None
        found = []
        for modes in drawings(len(kinds)):
            rest = iter(f"{kind}{mode}" for kind, mode in zip(kinds, modes, strict=True))
            fill = ",".join(next(rest) if live else classes.OWN for live in self.live)
            self.calls += 1
            if self.calls > LIMIT:
                raise TooMany
            try:
                answer: Answer = self.framework.run(variant.call, variant.values, fill)  # type: ignore[assignment]
            except (Rejected, Unanswered, NotTensors) as error:
                self.deaths.count += str(error) == guard.KILLS
                return None
            if tuple(dim for seen in answer for dim in seen.dims) != variant.dims:
                return None
            if not lax and not all(seen.finite for seen in answer):
                return None
            found.append(answer)
        return found

    def summaries(self, whiches: Sequence[int], kinds: Kinds, *, lax: bool = False) -> list[Summary] | None:
        """What each output was; None if a variant fails."""
        whole: list[list[Answer]] = []
        for which in whiches:
            run = self.run(which, kinds, lax)
            if run is None:
                return None
            whole.append(run)
        sizes = [self.variants[which].elements for which in whiches]
        found = (_summary([[answer[out] for answer in run] for run in whole], sizes, len(kinds))
                 for out in range(len(whole[0][0])))  # fmt: skip
        return [summary for summary in found if summary is not None]

    def fits(self, whiches: Sequence[int], kinds: Kinds, *, lax: bool = False) -> bool:
        """Whether inputs of these classes never go wrong."""
        found = self.summaries(whiches, kinds, lax=lax)
        return found is not None and (lax or all(summary.safe(max(kinds, default=None)) for summary in found))

    def accepts(self, whiches: Sequence[int], most: int, *, lax: bool = False) -> Kinds | None:
        """The widest classes, none beyond `most`, that the inputs take, for these variants; None if not even UNIT."""
        count = sum(self.live)
        start = next((kind for kind in range(most, UNIT - 1, -1) if self.fits(whiches, (kind,) * count, lax=lax)), None)
        if start is None:
            return None
        kinds = [start] * count
        for place in range(count):
            for kind in range(most, start, -1):
                if self.fits(whiches, (*kinds[:place], kind, *kinds[place + 1 :]), lax=lax):
                    kinds[place] = kind
                    break
        return tuple(kinds)


def _summary(runs: Sequence[Sequence[Seen]], sizes: Sequence[int], inputs: int) -> Summary | None:
    """Of one output; None if it never has elements. `runs`: its drawings, of each variant."""
    full = [(run, size) for run, size in zip(runs, sizes, strict=True) if not run[0].empty]
    if not full:
        return None
    dtype = full[0][0][0].dtype
    low, high = min(s.low for run, _ in full for s in run), max(s.high for run, _ in full for s in run)
    count = _corners(inputs)
    corners = [[end for s in run[:count] for end in (s.low, s.high)] for run, _ in full]
    steady = len({size for _, size in full}) > 1 and all(
        math.isclose(a, b, rel_tol=SAME, abs_tol=1e-6) for other in corners[1:] for a, b in zip(corners[0], other, strict=True)
    )
    span = max(abs(low), abs(high)) * SAME
    steady = steady and min(corners[0]) - low <= span and high - max(corners[0]) <= span
    ends = (max(run[min(1, len(run) - 1)].low for run, _ in full), min(run[0].high for run, _ in full))
    return Summary(dtype, all(s.finite for run, _ in full for s in run), low, high, ends, steady)


# ---- variants


def _family(dtype: str) -> str:
    """Dtypes of a family raise and overflow alike; one of each is tried."""
    if dtype.startswith("complex"):
        return dtype if dtype == "complex32" else "complex"
    if dtype in ("float32", "float64"):
        return "float"
    if dtype in ("int16", "int32", "int64"):
        return "int"
    return "uint" if dtype in ("uint16", "uint32", "uint64") else dtype


def rows(record: Json) -> list[list[str]]:
    """The tuples of input dtypes to try: the record's own, and one of each combination of families."""
    own = list(arglist.dtypes(record["args"]))
    found = {tuple(map(_family, own)): own}
    for ins, _ in record.get("dtypes", ()):
        found.setdefault(tuple(map(_family, ins)), ins)
    rest = [ins for ins in list(found.values())[1:]]
    step = max(1, math.ceil(len(rest) / (ROWS - 1)))
    return [own, *rest[::step]]


def _spread(items: Sequence[Json], count: int) -> list[Json]:
    """At most `count` of them, evenly, the last among them."""
    if len(items) <= count:
        return list(items)
    return [items[round((i + 1) * (len(items) - 1) / count)] for i in range(count)]


def _elements(args: Sequence[Json], values: Values) -> list[int]:
    return [math.prod(values[int(s[1:])] for s in tensor["tensor"]) for tensor in arglist.tensors(args)]


def records(record: Json, count: int) -> list[tuple[Values, Values]]:
    """Passing records of different sizes, whose tensors hold elements if there are such."""
    args, dims = record["args"], arglist.dimension_symbols(record["args"])
    pairs = [(tuple(ins), tuple(outs)) for ins, outs in record["pass"]]
    full = [pair for pair in pairs if all(pair[0][dim] > 0 for dim in dims) and all(dim > 0 for dim in pair[1])] or pairs
    full.sort(key=lambda pair: (sum(_elements(args, pair[0])), pair))
    small = [pair for pair in full if sum(_elements(args, pair[0])) <= ELEMENTS] or full[:2]
    return _spread(small, count)


def _floats(args: Sequence[Json]) -> list[tuple[str, ...]]:
    """Texts for the float constants: the recorded, then the others, all of a place's met."""
    seen = [leaf["seen"] for leaf in arglist.leaves(args) if isinstance(leaf, dict) and "seen" in leaf]
    most = max(map(len, seen), default=0)
    return list(dict.fromkeys([arglist.floats(args), *(tuple(texts[i % len(texts)] for texts in seen) for i in range(most))]))


def prepare(framework: Framework, record: Json, deaths: Deaths) -> Operator:
    """The operator with the variants to try."""
    operator = Operator(framework, record, deaths)
    tried = rows(record)
    tensors = arglist.tensors(record["args"])
    operator.live = [
        "range" not in tensor and all(classes.known(row[i]) for row in tried) for i, tensor in enumerate(tensors)
    ]
    texts = _floats(record["args"])
    dims = arglist.dimension_symbols(record["args"])
    varied = len(texts) > 1 or not record["pass"] or len(dims) < len(record["pass"][0][0])
    for number, row in enumerate(tried):
        count = OTHER_RECORDS if number else MORE_RECORDS if varied else RECORDS
        chosen = records(record, count)
        for place in range(max(len(chosen), 0 if number else len(texts))):
            args = arglist.with_floats(arglist.with_dtypes(record["args"], row), texts[place % len(texts)])
            values, outs = chosen[place % len(chosen)]
            operator.variants.append(
                Variant(number, framework.compile(record["api"], args), values, outs, sum(_elements(args, values)),
                        any(map(classes.narrow, row))))  # fmt: skip
    return operator


# ---- the answer


def learn(framework: Framework, record: Json, deaths: Deaths) -> tuple[Kinds, Kinds, str] | str:
    """(what each input takes, what the outputs are for each class, a note), or why nothing can be said."""
    if not record["pass"]:
        return "no passing records"
    operator = prepare(framework, record, deaths)
    try:
        return _learn(operator)
    except TooMany:
        return "too many calls"


def _learn(operator: Operator) -> tuple[Kinds, Kinds, str] | str:
    variants, unit = operator.variants, (UNIT,) * sum(operator.live)
    quiet = [which for which in range(len(variants)) if operator.fits([which], unit, lax=True)]
    if 2 * len(quiet) < len(variants):
        if operator.record.get("delicate"):
            return "delicate"
        return _whole(operator, unit and (NONE,) * len(unit)), (ANY,) * COUNT, "raises"
    if not any(operator.summaries([which], unit, lax=True) for which in quiet):
        return "no elements"
    wide = [which for which in quiet if not variants[which].narrow] or quiet
    usable = [which for which in wide if operator.fits([which], unit)]
    taken = [kinds for group in _by_row(operator, usable) if (kinds := operator.accepts(group, ANY)) is not None]
    if not taken:
        taken = [kinds for group in _by_row(operator, quiet) if (kinds := operator.accepts(group, ANY, lax=True)) is not None]
        return _whole(operator, _narrowest(taken)), (ANY,) * COUNT, "not finite"
    accepts = _narrowest(taken)
    for group in _by_row(operator, [which for which in quiet if which not in wide]):
        cap = operator.accepts(group, SMALL)
        if cap is not None:
            accepts = tuple(min(kind, most) if most < SMALL else kind for kind, most in zip(accepts, cap, strict=True))
    whole = len(usable) == len(wide)
    return _whole(operator, accepts), _gives(operator, usable, accepts) if whole else (ANY,) * COUNT, "" if whole else "partly"


def _by_row(operator: Operator, whiches: Sequence[int]) -> list[list[int]]:
    """Variants, those with the same dtypes together."""
    groups: dict[int, list[int]] = {}
    for which in whiches:
        groups.setdefault(operator.variants[which].row, []).append(which)
    return list(groups.values())


def _narrowest(taken: Sequence[Kinds]) -> Kinds:
    return tuple(min(kinds) for kinds in zip(*taken, strict=True))


def _gives(operator: Operator, whiches: Sequence[int], accepts: Kinds) -> Kinds:
    gives: list[int] = []
    for kind in range(COUNT):
        kinds = tuple(min(kind, most) for most in accepts)
        widest = gives[-1] if gives else UNIT
        for group in _by_row(operator, whiches):
            found = operator.summaries(group, kinds)
            widest = max([widest, *([ANY] if found is None else [s.kind(max(kinds, default=None)) for s in found])])
        gives.append(widest)
    return tuple(gives)


def _whole(operator: Operator, kinds: Kinds) -> Kinds:
    """With the inputs that have no classes, which take any."""
    rest = iter(kinds)
    return tuple(next(rest) if live else ANY for live in operator.live)


def letters(kinds: Sequence[int]) -> str:
    """Classes as they stand in the table; "." where there are none."""
    return "".join("-" if kind == NONE else classes.LETTERS[kind] for kind in kinds) or "."


def work_on(framework: Framework, path: Path) -> Json:
    """The rows of an API's operators, and how many have none and why."""
    rows_, notes, deaths = [], Counter[str](), Deaths()
    for line in path.read_text(encoding="utf-8").splitlines():
        record = json.loads(line)
        if record.get("random") or '"held"' in line:
            notes["random or held"] += 1
            continue
        found = learn(framework, record, deaths)
        if isinstance(found, str):
            notes[found] += 1
            continue
        notes[found[2] or "whole"] += 1
        rows_.append([record["op"], letters(found[0]), letters(found[1]), found[2]])
    return {"rows": rows_, "notes": notes}


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m traces.collect.cli.values",
        description="Learns which classes of element values operators take and give.",
        epilog="Exit codes: 0 done; 2 usage; 3 some API failed; 5 framework not installed.",
    )
    parser.add_argument("framework", choices=registry.NAMES, help="the framework to run")
    parser.add_argument("--traces", type=Path, metavar="DIR", help="its record files (default: traces/FRAMEWORK)")
    parser.add_argument("--out", type=Path, metavar="FILE", help="the table (default: DIR/VALUES.tsv)")
    parser.add_argument("--only", metavar="GLOB", help="only APIs whose name matches; other rows of the table stay")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="workers at a time (default: all cores)")
    return parser


def publish(path: Path, found: dict[str, list[Json]], *, whole: bool) -> None:
    """Writes the table; unless all is new, rows of other APIs stay."""
    new = [row[:3] for rows_ in found.values() for row in rows_]
    if not whole and path.exists():
        old = [line.split("\t") for line in path.read_text(encoding="ascii").splitlines()[1:]]
        new += [row for row in old if row[0].rpartition("-")[0] not in found]
    write.write_file(path, write.table(("op", "accepts", "gives"), new))


def main(argv: Sequence[str] | None = None) -> int:
    """The command."""
    options = _parser().parse_args(argv)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(4))  # an exit, so that the workers are ended too
    folder = options.traces or Path("traces") / options.framework
    try:
        framework: Framework = registry.looking(options.framework)
    except ImportError as error:
        print(f"traces.collect.cli.values: error: {error}; run traces/backends.sh {options.framework}", file=sys.stderr)
        return 5
    paths = {path.stem: path for path in sorted(folder.glob("*.jsonl"))}
    names = [api for api in paths if not options.only or fnmatch.fnmatch(api, options.only)]

    def work(api: str, guard: Callable[[Framework], Guarded]) -> Json:
        guarded = guard(framework)
        answer = work_on(guarded, paths[api])  # type: ignore[arg-type]
        return {**answer, "deaths": guarded.noted()}

    notes, failed, findings = Counter[str](), [], []
    found: dict[str, list[Json]] = {}
    scratch, progress = Path("build/traces") / options.framework / "values", Progress("values")
    runs = workers.run(names, options.jobs, work, scratch, registry.fragile(options.framework), SECONDS)
    for done, (api, answer, deaths) in enumerate(runs, 1):
        findings += [(api, how, call.replace("\t", " ")) for how, call in (answer or {}).get("deaths") or deaths]
        if answer is None:
            failed.append(api)
            print(f"traces.collect.cli.values: error: {api} failed: see {scratch / (api + '.log')}", file=sys.stderr)
        else:
            found[api] = answer.get("rows", [])
            notes.update(answer.get("notes", {"given up": 1}))
        progress.show(done, len(names))
    progress.end()
    write.write_file(scratch.parent / "values-findings.tsv", write.table(("api", "what", "call"), findings))
    publish(options.out or folder / "VALUES.tsv", found, whole=not options.only)
    print(", ".join(f"{count} {note}" for note, count in sorted(notes.items())))
    return 3 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
