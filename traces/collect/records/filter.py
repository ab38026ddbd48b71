"""From the symbolised calls of one API to its operators: grouping, the filters, the choice of which to keep.

A group is what has the same argument structure; it splits by the ranks and number of the outputs. Dropped, with the
reason: calls that fail on random elements or whose output shapes depend on them (NeuRI's value independence, elements
to ±10^6), calls that return no tensors. Calls that do not give the same elements thrice (determinism) are marked.
"""

from __future__ import annotations

import itertools
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from traces.collect.call import symbolise
from traces.collect.call.ranks import SOURCE as RANKS
from traces.collect.call.ranks import variants
from traces.collect.call.symbolise import Call, Json, Values
from traces.collect.judge.framework import CONSTANT, WILD, Framework, NotTensors, Output, Rejected, Unanswered
from traces.collect.judge.verdict import FAIL, MIXED, PASS, judge

SAMPLES = 24
"""Calls of a group that are run to filter it; the rest of a group's samples only add seeds."""
SEEDS = 30
DTYPE_ENTRIES = 24
LEFT_TO_VARY = 4
"""Operators of an API whose ranks are spread that may be chosen for something else."""

MOST_RESTATED = 4
"""Tensors of integers of a call that may be stated in other ways."""
REPEATED = 2
"""Calls of a group that are tried for determinism, the first whose outputs have elements."""
FINAL = ("returns no tensor",)
"""Reasons for which no other statement of the tensors is tried."""
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
    """Whether the same input gives other elements each time."""

    def key(self) -> str:
        """The canonical text that operators of one API are sorted and numbered by."""
        ranks = ",".join(str(rank) for rank, _ in self.types)
        return symbolise.signature(self.args, keep_floats=self.split_by_floats) + ">" + ranks


class Dropped(Exception):
    """A call or operator does not pass a filter; the text is the reason."""


Reasons = Counter[tuple[str, str]]
"""(signature, reason) to the number of calls."""


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
    for fill in CONSTANT:  # a singular matrix may be rejected, but what is accepted must look the same
        try:
            same = framework.run(call, values, fill) == outputs
        except (Rejected, Unanswered, NotTensors):
            continue
        if not same:
            raise Dropped("value-dependent: the output shape or dtype depends on the elements")
    return outputs


def _repeats(framework: Framework, call: Any, values: Values) -> bool:
    try:
        return framework.deterministic(call, values)
    except (Rejected, Unanswered, NotTensors) as error:
        raise Dropped(str(error)) from error


def _groups(calls: Iterable[Call]) -> dict[str, list[Call]]:
    groups: dict[str, list[Call]] = defaultdict(list)
    for call in calls:
        groups[symbolise.signature(call.args)].append(call)
    return groups


def _floats_matter(framework: Framework, representative: Sequence[Json], calls: Sequence[Call]) -> bool:
    """Whether a float argument changes shapes in this group (a scale factor), so that it must stay fixed."""
    for call in calls:
        if symbolise.floats(call.args) == symbolise.floats(representative):
            continue
        ours = symbolise.with_floats(representative, symbolise.floats(call.args))
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
    plain = [replace(call, args=symbolise.without_hints(call.args)) for call in calls]
    passing = [call for call in plain if not call.expect_failure]
    failing = [call for call in plain if call.expect_failure]
    refused: Reasons = Counter()
    asked = passing + variants(passing)
    found = _found(framework, api, asked, failing, refused)
    hinted = [call for call in calls if symbolise.hinted(call.args)]
    groups = _groups(call for call in hinted if not call.expect_failure)
    settled = {text for text, _ in refused}
    restated: list[Operator] = []
    for text, group in sorted(groups.items()):
        if text not in settled or any(reason in FINAL for of, reason in refused if of == text):
            continue
        others = [call for call in hinted if call.expect_failure and symbolise.signature(call.args) == text]
        new = _restated(framework, api, group, others)
        if new:
            for key in [key for key in refused if key[0] == text]:
                del refused[key]
        restated += new
    made = {text for text, group in _groups(asked).items() if group[0].source == RANKS}
    reasons.update({key: count for key, count in refused.items() if key[0] not in made})  # what never was is no loss
    known = {operator.key() for operator in found}
    for operator in restated:  # two groups may come to the same, with other lengths of one list
        if operator.key() not in known:
            known.add(operator.key())
            found.append(operator)
    return sorted(found, key=Operator.key)


FORMS = (symbolise.PLAIN, symbolise.RANGE, symbolise.ELEMENTS)


def _restated(framework: Framework, api: str, group: Sequence[Call], failures: Sequence[Call]) -> list[Operator]:
    """The operators of a group whose outcome depends on elements, its tensors of integers stated otherwise: the first
    way, the fewest elements first, in which they pass the filters."""
    count = min(len(symbolise.hinted(call.args)) for call in group)
    ways = sorted(itertools.product(range(len(FORMS)), repeat=min(count, MOST_RESTATED)), key=lambda way: (sum(way), way))
    for way in ways[1:]:
        forms = [FORMS[i] for i in way] + [symbolise.PLAIN] * count
        calls = [call for call in (symbolise.restate(old, forms) for old in group) if call is not None]
        failing = [call for call in (symbolise.restate(old, forms) for old in failures) if call is not None]
        if not calls or (symbolise.RANGE in forms and not _ranges_matter(framework, calls)):
            continue
        found = _found(framework, api, calls, failing, Counter())
        if found:
            return found + _found(framework, api, variants(calls), [], Counter())
    return []


def _ranges_matter(framework: Framework, calls: Sequence[Call]) -> bool:
    """Whether some call is accepted with a range of several values, its own or one made wider, for each ranged tensor:
    otherwise the elements may each decide something (a size), and a range says nothing. Nor does it where the outcome
    depends on elements within it for more than a quarter of the calls."""
    verdicts = []
    for call in calls[:SAMPLES]:
        compiled, ranges = framework.compile(call.api, call.args), symbolise.ranges(call.args)  # lists differ in length
        verdicts.append(judge(framework, compiled, call.values, None, ranges).kind)
    if 4 * verdicts.count(MIXED) > len(verdicts):
        return False
    left = set(range(len(symbolise.ranges(calls[0].args))))
    for call in calls[:SAMPLES]:
        compiled, ranges = framework.compile(call.api, call.args), symbolise.ranges(call.args)  # lists differ in length
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
    """The operators among calls whose tensors are stated as they are to be recorded."""
    found: list[Operator] = []
    failing = _groups(failures)
    for text, group in sorted(_groups(calls).items()):
        representative = _representative(group)
        parts = [(group, representative, False)]
        if symbolise.floats(representative) and _floats_matter(framework, representative, group[:SAMPLES]):
            by_floats: dict[tuple[str, ...], list[Call]] = defaultdict(list)
            for call in group:
                by_floats[symbolise.floats(call.args)].append(call)
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
    """The arguments of the first call that has the group's commonest dtypes."""
    commonest = Counter(symbolise.dtypes(call.args) for call in group).most_common(1)[0][0]
    return next(call.args for call in group if symbolise.dtypes(call.args) == commonest)


def _split_by_outputs(framework: Framework, api: str, group: Sequence[Call], args: list[Json]) -> list[Operator]:
    compiled = framework.compile(api, args)
    by_types: dict[tuple[int, ...], Operator] = {}
    refused: list[str] = []
    dependent = repeated = 0
    random = False
    for number, call in enumerate(dict.fromkeys((c.values, c.source, symbolise.floats(c.args)) for c in group)):
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
    """Whether no seed has elements in all the tensors of integers that are stated without a range: that their elements
    do not matter was then not seen."""
    plain = [t for t in symbolise.tensors(operator.args) if "range" not in t and "int" in t["dtype"]]
    dims = [int(symbol[1:]) for tensor in plain for symbol in tensor["tensor"]]
    return bool(dims) and all(any(values[i] == 0 for i in dims) for values in operator.seeds)


def choose(found: Sequence[Operator], count: int, *, spread: bool = False) -> list[Operator]:
    """At most `count` operators: the most sampled first, then whichever adds the most that is new. `spread`: before
    these, for each rank and number of inputs the plainest that has it; behind these what sources show before variants."""
    left = sorted(found, key=lambda o: (-o.samples, o.key()))
    chosen = _spread_out(left, count - LEFT_TO_VARY) if spread else []
    left = [operator for operator in left if not any(operator is other for other in chosen)]
    seen = {feature for operator in chosen for feature in _features(operator)}
    while left and len(chosen) < count:
        best = max(left, key=lambda o: (spread and _shown(o, seen), len(_features(o) - seen), min(o.samples, 8)))
        left.remove(best)
        chosen.append(best)
        seen |= _features(best)
    return sorted(chosen, key=Operator.key)


def _spread_out(found: Sequence[Operator], count: int) -> list[Operator]:
    """At most `count` operators, each with a rank or a number of inputs, or the two together, that none before it has."""
    left, seen, chosen = list(found), set[str](), list[Operator]()
    while left and len(chosen) < count:
        best = max(left, key=lambda o: (len(_extent(o) - seen), _plainness(o)))
        if not _extent(best) - seen:
            break
        left.remove(best)
        chosen.append(best)
        seen |= _extent(best)
    return chosen


def _shown(operator: Operator, seen: set[str]) -> bool:
    """Whether a source shows the operator, and it has something new."""
    return operator.sources != {RANKS} and bool(_features(operator) - seen)


def _extent(operator: Operator) -> set[str]:
    ranks = [len(tensor["tensor"]) for tensor in symbolise.tensors(operator.args)]
    if not ranks:
        return set()
    degree, rank = f"inputs {len(ranks)}", f"rank {max(ranks)}"
    alone = any(isinstance(arg["value"], list) and len(list(symbolise.tensors([arg]))) == 1 for arg in operator.args)
    return {degree, rank, f"{degree} {rank}"} if max(ranks) and not alone else {degree, rank}


def _plainness(operator: Operator) -> tuple[int, ...]:
    """What makes one of two operators of the same extent the first: no other ranks among its inputs, few arguments."""
    ranks = {len(tensor["tensor"]) for tensor in symbolise.tensors(operator.args)}
    return -len(ranks), -len(operator.args), min(operator.samples, 8)


def _features(operator: Operator) -> set[str]:
    """What is particular to an operator: each argument's form, the ranks together, the outputs."""
    features = {"names " + " ".join(arg["name"] for arg in operator.args)}
    ranks = []
    for arg in operator.args:
        value = arg["value"]
        if isinstance(value, dict) and "tensor" in value:
            ranks.append(len(value["tensor"]))
            continue
        shape = symbolise.signature([{**arg, "value": _anonymous(value)}])
        features.add(shape)
    return features | {f"ranks {ranks}", f"outputs {[rank for rank, _ in operator.types]}"}


def _anonymous(value: Json) -> Json:
    if isinstance(value, list):
        return [_anonymous(item) for item in value]
    if isinstance(value, dict) and "tensor" in value:
        return {"tensor": ["s"] * len(value["tensor"])}
    return "s" if isinstance(value, str) else value


def dtype_table(framework: Framework, operator: Operator, records: Sequence[Values],
                candidates: Iterable[Sequence[str]]) -> list[Json]:  # fmt: skip
    """The tuples of input dtypes that run on passing records, each with the output dtypes; sorted.

    The records should hold elements: many an operator accepts any dtype as long as there is nothing to do."""
    own = symbolise.dtypes(operator.args)
    table = {own: tuple(dtype for _, dtype in operator.types)}
    ranks = tuple(rank for rank, _ in operator.types)
    for wish in dict.fromkeys(tuple(c) for c in candidates):
        if wish in table or len(wish) != len(own) or len(table) >= DTYPE_ENTRIES:
            continue
        compiled = framework.compile(operator.api, symbolise.with_dtypes(operator.args, wish))
        try:
            answers = [framework.run(compiled, values, "normal") for values in records]
            framework.run(compiled, records[-1], "zeros")
        except (Rejected, Unanswered, NotTensors):
            continue
        found = {tuple(dtype for _, dtype in answer) for answer in answers}
        if len(found) == 1 and all(tuple(len(dims) for dims, _ in answer) == ranks for answer in answers):
            table[wish] = found.pop()
    return sorted([list(ins), list(outs)] for ins, outs in table.items())


def seen_floats(framework: Framework, operator: Operator, record: Values) -> list[Json]:
    """The operator's arguments with, for each float, the values met in samples that leave the shapes as they are."""
    own = symbolise.floats(operator.args)
    if not own:
        return operator.args
    expected = framework.run(framework.compile(operator.api, operator.args), record, "normal")
    seen: list[set[str]] = [{text} for text in own]
    for texts in sorted(operator.float_texts):
        args = symbolise.with_floats(operator.args, texts)
        try:
            if framework.run(framework.compile(operator.api, args), record, "normal") != expected:
                continue
        except (Rejected, Unanswered, NotTensors):
            continue
        for place, text in zip(seen, texts, strict=True):
            place.add(text)
    rest = iter([own_text, _spread(texts, own_text)] for own_text, texts in zip(own, seen, strict=True))

    def leaf(old: Json) -> Json:
        if isinstance(old, dict) and "seen" in old:
            const, texts = next(rest)
            return {"const": const, "seen": texts}
        return old

    return symbolise.map_leaves(operator.args, leaf)


def _spread(texts: set[str], keep: str) -> list[str]:
    ordered = sorted(texts, key=lambda text: (text == "nan", float(text) if text != "nan" else 0.0, text))
    if len(ordered) > 8:
        step = (len(ordered) - 1) / 7
        ordered = [ordered[round(i * step)] for i in range(8)]
        if keep not in ordered:
            ordered[3] = keep
    return sorted(set(ordered), key=lambda text: (text == "nan", float(text) if text != "nan" else 0.0, text))
