"""From the symbolized calls of one API to its operators: grouping, filters, and the choice of operators to keep.

A group has one argument structure; it is split by the ranks and number of the outputs. Dropped, with the reason: calls
that fail on random elements or whose output shapes depend on them (NeuRI's value independence, elements to ±10^6), and
calls that return no tensors. Calls that do not give the same elements three times (determinism) are marked.
"""

from __future__ import annotations

import contextlib
import itertools
from collections import Counter, defaultdict
from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from rulefuzz.framework import Rejected, Unanswered
from traces.collect.call import arglist, restate
from traces.collect.call.ranks import SOURCE as RANKS
from traces.collect.call.ranks import variants
from traces.collect.call.spec import Call, Json, Values
from traces.collect.judge import statement
from traces.collect.judge.framework import CONSTANT, WILD, Framework, NotTensors, Output
from traces.collect.judge.verdict import FAIL, MIXED, PASS, judge

SAMPLES = 24
"""Calls of a group that are run to filter it; its other samples only serve as seeds."""
SEEDS = 30

MOST_RESTATED = 4
"""Integer tensors of a call whose description may vary."""
REPEATED = 2
"""Calls of a group that are tested for determinism, the first ones with non-empty outputs."""
FINAL = ("returns no tensor",)
"""Reasons after which no other description of the tensors is tried."""
REPLAY = "fails when replayed: its tensors were strided, expanded or special in another way"
Types = tuple[tuple[int, str], ...]


@dataclass
class Operator:
    """One partial operator before augmentation."""

    api: str
    args: list[Json]
    types: Types
    """Rank and dtype of each output."""
    seeds: list[Values] = field(default_factory=list)
    failures: list[Values] = field(default_factory=list)
    sources: set[str] = field(default_factory=set)
    float_texts: set[tuple[str, ...]] = field(default_factory=set)
    samples: int = 0
    split_by_floats: bool = False
    random: bool = False
    """True if the same input gives different elements each time."""

    def key(self) -> str:
        """The canonical text by which an API's operators are sorted and numbered."""
        ranks = ",".join(str(rank) for rank, _ in self.types)
        return arglist.signature(self.args, keep_floats=self.split_by_floats) + ">" + ranks

    def told(self) -> Json:
        """As JSON, for another process."""
        return {**vars(self), "sources": sorted(self.sources), "float_texts": sorted(self.float_texts)}

    @staticmethod
    def of(told: Json) -> Operator:
        """The inverse of `told`."""
        rows = {key: [tuple(row) for row in told[key]] for key in ("types", "seeds", "failures", "float_texts")}
        return Operator(**{**told, **rows, "types": tuple(rows["types"]), "float_texts": set(rows["float_texts"]),
                           "sources": set(told["sources"])})  # fmt: skip


class Dropped(Exception):
    """A call or operator that a filter drops; the text is the reason."""


Reasons = Counter[tuple[str, str]]
"""Number of calls by (signature, reason)."""


def _short(error: Exception) -> str:
    text = " ".join(str(error).split())
    return text.split(":", 1)[0][:60]


def stable_outputs(framework: Framework, call: Any, values: Values) -> tuple[Output, ...]:
    """The outputs of a call that passes the filters; raises Dropped otherwise."""
    try:
        outputs = framework.run(call, values, "normal")
        first: Exception | None = None
    except Rejected as error:
        if judge(framework, call, values, None).kind == FAIL:
            raise Dropped(REPLAY) from error
        outputs, first = (), error
    except (Unanswered, NotTensors) as error:
        raise Dropped(str(error)) from error
    for fill in WILD:
        try:
            again = framework.run(call, values, fill)
        except (Rejected, Unanswered, NotTensors) as error:
            raise Dropped(f"value-dependent: rejects some elements ({_short(error)})") from error
        if first is None and again != outputs:
            raise Dropped("value-dependent: the output shape or dtype depends on the elements")
    if first is not None:
        raise Dropped(f"value-dependent: rejects some elements ({_short(first)})")
    if not outputs:
        raise Dropped("returns no tensor")
    if depends_on_constants(framework, call, values, outputs):
        raise Dropped("value-dependent: the output shape or dtype depends on the elements")
    return outputs


def depends_on_constants(framework: Framework, call: Any, values: Values, outputs: tuple[Output, ...]) -> bool:
    """True if a run with constant elements has other outputs. It may also be rejected, as a singular matrix is."""
    for fill in CONSTANT:
        with contextlib.suppress(Rejected, Unanswered, NotTensors):
            if framework.run(call, values, fill) != outputs:
                return True
    return False


def _repeats(framework: Framework, call: Any, values: Values) -> bool:
    try:
        return framework.deterministic(call, values)
    except (Rejected, Unanswered, NotTensors) as error:
        raise Dropped(str(error)) from error


def _groups(calls: Iterable[Call]) -> dict[str, list[Call]]:
    groups: dict[str, list[Call]] = defaultdict(list)
    for call in calls:
        groups[arglist.signature(call.args)].append(call)
    return groups


def _floats_matter(framework: Framework, representative: Sequence[Json], calls: Sequence[Call]) -> bool:
    """True if a float argument changes shapes in this group (a scale factor), so that it must stay fixed."""
    for call in calls:
        if arglist.floats(call.args) == arglist.floats(representative):
            continue
        ours = arglist.with_floats(representative, arglist.floats(call.args))
        answers = []
        for args in (ours, representative):
            try:
                answers.append(framework.run(framework.compile(call.api, args), call.values, "normal"))
            except (Rejected, Unanswered, NotTensors):
                answers.append(())
        if answers[0] != answers[1]:
            return True
    return False


def operators(framework: Framework, api: str, calls: Sequence[Call], reasons: Reasons) -> list[Operator]:
    """The operators of one API that pass the filters, sorted by their keys."""
    calls = _typed(calls)
    groups = _groups(call for call in calls if not call.expect_failure)
    failing = _groups(call for call in calls if call.expect_failure)
    ways, bound = _ways(framework, groups)
    plain = [call for text, group in groups.items() if _is_plain(ways[text][0]) for call in _bare(group)]
    refused: Reasons = Counter()
    asked = plain + variants(plain)
    found = _found(framework, api, asked, _bare(call for group in failing.values() for call in group), refused)
    settled = {text for text, _ in refused}
    final = {text for text, reason in refused if reason in FINAL}
    restated: list[Operator] = []
    for text, group in sorted(groups.items()):
        if (_is_plain(ways[text][0]) and text not in settled) or text in final:
            continue
        why: Reasons = Counter()
        stated = [way for way in ways[text] if not _is_plain(way)]
        new = _restated(framework, api, (group, failing.get(text, [])), stated, bound[text], why)
        for key in [key for key in refused if new and key[0] == text]:
            del refused[key]
        if not new and text not in settled:
            refused[(text, _commonest(why))] += len(group)
        restated += new
    made = {text for text, group in _groups(asked).items() if group[0].source == RANKS}
    reasons.update({key: count for key, count in refused.items() if key[0] not in made})  # empty groups are not counted
    known = {operator.key() for operator in found}
    for operator in restated:  # two groups may become equal, with other lengths of a list
        if operator.key() not in known:
            known.add(operator.key())
            found.append(operator)
    return sorted(found, key=Operator.key)


def _typed(calls: Sequence[Call]) -> list[Call]:
    """The calls with empty integer tensors changed to a dtype that non-empty ones of the same argument have, if any: a
    dtype without elements shows nothing about the operator."""
    full: dict[str, Counter[str]] = defaultdict(Counter)
    for call in calls:
        for name, tensor in statement.named(call.args):
            if not call.expect_failure and all(call.values[int(symbol[1:])] for symbol in tensor["tensor"]):
                full[name][tensor["dtype"]] += 1

    def dtype(name: str, tensor: Json) -> str:
        seen, own = full[name], str(tensor["dtype"])
        return own if "int" not in own or own in seen or not seen else seen.most_common(1)[0][0]

    types = ([dtype(*named) for named in statement.named(call.args)] for call in calls)
    return [replace(call, args=arglist.with_dtypes(call.args, new)) for call, new in zip(calls, types, strict=True)]


Way = tuple[str, ...]
"""The description of each input tensor of a call, in order."""


def _is_plain(way: Way) -> bool:
    return all(form == restate.PLAIN for form in way)


def _bare(calls: Iterable[Call]) -> list[Call]:
    return [replace(call, args=restate.without_hints(call.args)) for call in calls]


def _commonest(why: Reasons) -> str:
    return max(why, key=lambda key: (why[key], key))[1] if why else "value-dependent: its elements decide, and are not told"


def _ways(framework: Framework, groups: dict[str, list[Call]]) -> tuple[dict[str, list[Way]], dict[str, set[int]]]:
    """For each group the possible descriptions of its tensors, the best first (by the observed effect of their elements;
    fewest elements first if those do not pass the filters), and the tensors observed to be bounded, in this group or,
    without observations, in the API's other groups."""
    telling = {text: _telling(group) for text, group in groups.items()}
    does = {text: statement.seen(framework, calls) for text, calls in telling.items() if calls}
    most_seen = statement.joint([(telling[text][0].args, what) for text, what in does.items()])
    ways, bound = dict[str, list[Way]](), dict[str, set[int]]()
    for text, group in groups.items():
        args = (telling[text] or group)[0].args
        seen = does.get(text, [statement.UNSEEN] * len(arglist.tensors(args)))
        bound[text] = statement.bounded(args, seen, most_seen)
        forms = statement.forms(args, seen, most_seen)
        hints = {place for call in group for place, tensor in enumerate(arglist.tensors(call.args)) if "extent" in tensor}
        most = sorted(hints)[:MOST_RESTATED]
        forms = [form if place in most else form[:1] for place, form in enumerate(forms)]
        chosen = sorted(itertools.product(*(range(len(form)) for form in forms)), key=lambda way: (sum(way), way))
        ways[text] = [tuple(form[i] for form, i in zip(forms, way, strict=True)) for way in chosen]
    return ways, bound


def _telling(group: Sequence[Call]) -> list[Call]:
    """The calls of a group with listed elements, of its most common dtypes."""
    types = arglist.dtypes(_representative(group))
    return [call for call in group if arglist.dtypes(call.args) == types and restate.hinted(call.args)]


def _restated(framework: Framework, api: str, calls: tuple[Sequence[Call], Sequence[Call]], ways: Sequence[Way],
              bound: Container[int], why: Reasons) -> list[Operator]:  # fmt: skip
    """The operators of a group's calls, with the first description of tensors that passes the filters; and those of calls
    that fail because of their elements."""
    for way in ways:
        passing, failing = ([new for new in (restate.restate(old, way) for old in part) if new is not None] for part in calls)
        open_ones = [place not in bound for place, form in enumerate(way) if form == restate.RANGE]
        if not passing or (open_ones and not _ranges_matter(framework, passing, open_ones)):
            continue
        found = _found(framework, api, passing, failing, why)
        if found:
            return found + _found(framework, api, variants(passing), [], Counter())
    return []


def _ranges_matter(framework: Framework, calls: Sequence[Call], open_ones: Sequence[bool]) -> bool:
    """True if some call is accepted with a range of several values, its own or a wider one, for each ranged tensor that is
    not known to be bounded. Otherwise each element may matter (a size), and a range carries no information; nor does it
    if the outcome depends on elements within it for more than a quarter of the calls."""
    verdicts = []
    for call in calls[:SAMPLES]:
        compiled, ranges = framework.compile(call.api, call.args), arglist.ranges(call.args)  # lists differ in length
        verdicts.append(judge(framework, compiled, call.values, None, ranges).kind)
    if 4 * verdicts.count(MIXED) > len(verdicts):
        return False
    left = {which for which, is_open in enumerate(open_ones) if is_open}
    for call in calls[:SAMPLES]:
        compiled, ranges = framework.compile(call.api, call.args), arglist.ranges(call.args)  # lists differ in length
        for which in sorted(left):
            dims, low, high = ranges[which]
            if not all(call.values[i] for i in dims) or call.values[high] == call.values[low]:
                continue
            for down, up in ((0, 0),) if call.values[high] - call.values[low] > 1 else ((0, 1), (1, 0)):
                values = list(call.values)
                values[low], values[high] = values[low] - down, values[high] + up
                try:
                    stable_outputs(framework, compiled, tuple(values))
                    if judge(framework, compiled, tuple(values), None, ranges).kind == PASS:
                        left.discard(which)
                except Dropped:
                    continue
    return not left


def _found(framework: Framework, api: str, calls: Sequence[Call], failures: Sequence[Call],
           reasons: Reasons) -> list[Operator]:  # fmt: skip
    """The operators among calls whose tensors are described as they will be recorded."""
    found: list[Operator] = []
    failing = _groups(failures)
    for text, group in sorted(_groups(calls).items()):
        representative = _representative(group)
        parts = [(group, representative, False)]
        if arglist.floats(representative) and _floats_matter(framework, representative, group[:SAMPLES]):
            by_floats: dict[tuple[str, ...], list[Call]] = defaultdict(list)
            for call in group:
                by_floats[arglist.floats(call.args)].append(call)
            parts = [(part, _representative(part), True) for _, part in sorted(by_floats.items())]
        for part, args, split in parts:
            try:
                new = _split_by_outputs(framework, api, part, args)
            except Dropped as error:
                reasons[(text, str(error))] += len(part)
                continue
            for operator in new:
                operator.split_by_floats = split
                operator.failures = [call.values for call in failing.get(text, ())]
            found += new
    return found


def _representative(group: Sequence[Call]) -> list[Json]:
    """The arguments of the first call with the group's most common dtypes."""
    commonest = Counter(arglist.dtypes(call.args) for call in group).most_common(1)[0][0]
    return next(call.args for call in group if arglist.dtypes(call.args) == commonest)


def _split_by_outputs(framework: Framework, api: str, group: Sequence[Call], args: list[Json]) -> list[Operator]:
    compiled = framework.compile(api, args)
    by_types: dict[tuple[int, ...], Operator] = {}
    refused: list[str] = []
    dependent = repeated = 0
    random = False
    for number, call in enumerate(dict.fromkeys((c.values, c.source, arglist.floats(c.args)) for c in group)):
        values, source, floats = call
        if number >= SEEDS:
            break
        try:
            outputs = stable_outputs(framework, compiled, values)
            if repeated < REPEATED and any(all(dims) for dims, _ in outputs):
                repeated += 1
                random = not _repeats(framework, compiled, values) or random
        except Dropped as error:
            if str(error).startswith(("returns", "an output")):
                raise
            refused.append(str(error))
            dependent += str(error) != REPLAY
            continue
        types = tuple((len(dims), dtype) for dims, dtype in outputs)
        ranks = tuple(rank for rank, _ in types)
        operator = by_types.setdefault(ranks, Operator(api, args, types))
        operator.samples += 1
        operator.sources.add(source)
        operator.float_texts.add(floats)
        if types == operator.types and values not in operator.seeds:
            operator.seeds.append(values)
    by_types = {ranks: operator for ranks, operator in by_types.items() if not _unseen_integers(operator)}
    accepted = sum(operator.samples for operator in by_types.values())
    if refused and (4 * dependent >= accepted or not accepted):
        raise Dropped(Counter(refused).most_common(1)[0][0])
    for operator in by_types.values():
        operator.random = random
    return list(by_types.values())


def _unseen_integers(operator: Operator) -> bool:
    """True if no seed has non-empty integer tensors among those described without a range, so that their irrelevance was
    not observed."""
    plain = [t for t in arglist.tensors(operator.args) if "range" not in t and "int" in t["dtype"]]
    dims = [int(symbol[1:]) for tensor in plain for symbol in tensor["tensor"]]
    return bool(dims) and all(any(values[i] == 0 for i in dims) for values in operator.seeds)
