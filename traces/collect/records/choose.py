"""Selects the operators of an API to keep, if there are more than a file may hold."""

from __future__ import annotations

from collections.abc import Sequence

from traces.collect.call import arglist
from traces.collect.call.ranks import SOURCE as RANKS
from traces.collect.call.spec import Json
from traces.collect.records.filter import Operator

LEFT_TO_VARY = 4
"""Operators reserved for other novelty in an API whose ranks are spread."""
SILENT = ("None", "False", "0")
"""Constants that are usually irrelevant."""


def choose(found: Sequence[Operator], count: int, *, spread: bool = False, dtypes: bool = False) -> list[Operator]:
    """At most `count` operators: the most sampled first, then those that add most novelty. `spread`: before these, the
    plainest operator of each rank and number of inputs; after them, those from sources before variants. `dtypes`: the
    outputs' ranks and dtypes are novelty, too, of operators with the fewest arguments."""
    able = [operator for operator in found if any(operator.seeds) or not tells(operator)]  # listed elements without variation
    left = sorted(able or found, key=lambda o: (-o.samples, o.key()))
    chosen = _spread_out(left, count - LEFT_TO_VARY) if spread else []
    left = [operator for operator in left if not any(operator is other for other in chosen)]
    seen = {feature for operator in chosen for feature in _features(operator)}
    if dtypes:
        chosen += _of_each_type(left, chosen, count - len(chosen))
        left = [operator for operator in left if not any(operator is other for other in chosen)]
    while left and len(chosen) < count:
        best = max(left, key=lambda o: (spread and _shown(o, seen), len(_features(o) - seen), min(o.samples, 8)))
        left.remove(best)
        chosen.append(best)
        seen |= _features(best)
    return sorted(chosen, key=Operator.key)


def tells(operator: Operator) -> bool:
    """True if integers of a tensor are listed one by one."""
    return any(isinstance(leaf, dict) and "elements" in leaf for leaf in arglist.leaves(operator.args))


def _spread_out(found: Sequence[Operator], count: int) -> list[Operator]:
    """At most `count` operators, each with a new rank, number of inputs, or combination of both."""
    left, seen, chosen = list(found), set[str](), list[Operator]()
    while left and len(chosen) < count:
        best = max(left, key=lambda o: (len(_extent(o) - seen), _plainness(o)))
        if not _extent(best) - seen:
            break
        left.remove(best)
        chosen.append(best)
        seen |= _extent(best)
    return chosen


def _of_each_type(left: Sequence[Operator], chosen: Sequence[Operator], count: int) -> list[Operator]:
    """At most `count` operators: the plainest of each combination of output ranks and dtypes that `chosen` lacks."""
    plainest: dict[tuple[tuple[int, str], ...], Operator] = {}
    for operator in sorted(left, key=lambda o: (len(o.args), o.key())):
        plainest.setdefault(operator.types, operator)
    known = {operator.types for operator in chosen}
    return [operator for types, operator in sorted(plainest.items()) if types not in known][: max(count, 0)]


def _shown(operator: Operator, seen: set[str]) -> bool:
    """True if the operator comes from a source and adds novelty."""
    return operator.sources != {RANKS} and bool(_features(operator) - seen)


def _extent(operator: Operator) -> set[str]:
    ranks = [len(tensor["tensor"]) for tensor in arglist.tensors(operator.args)]
    if not ranks or not any(operator.seeds):
        return set()
    degree, rank = f"inputs {len(ranks)}", f"rank {max(ranks)}"
    alone = any(isinstance(arg["value"], list) and len(list(arglist.tensors([arg]))) == 1 for arg in operator.args)
    return {degree, rank, f"{degree} {rank}"} if max(ranks) and not alone else {degree, rank}


def _plainness(operator: Operator) -> tuple[int, ...]:
    """Order among operators with equal novelty: inputs of equal ranks, few arguments, few that matter."""
    ranks = {len(tensor["tensor"]) for tensor in arglist.tensors(operator.args)}
    said = sum(isinstance(leaf, dict) and leaf.get("const", SILENT[0]) not in SILENT for leaf in arglist.leaves(operator.args))
    return -len(ranks), -len(operator.args), -said, min(operator.samples, 8)


def _features(operator: Operator) -> set[str]:
    """Features of an operator: each argument's structure, the combination of ranks, the outputs."""
    features = {"names " + " ".join(arg["name"] for arg in operator.args)}
    ranks = []
    for arg in operator.args:
        value = arg["value"]
        if isinstance(value, dict) and "tensor" in value:
            ranks.append(len(value["tensor"]))
            continue
        shape = arglist.signature([{**arg, "value": _anonymous(value)}])
        features.add(shape)
    return features | {f"ranks {ranks}", f"outputs {[rank for rank, _ in operator.types]}"}


def _anonymous(value: Json) -> Json:
    if isinstance(value, list):
        return [_anonymous(item) for item in value]
    if isinstance(value, dict) and "tensor" in value:
        return {"tensor": ["s"] * len(value["tensor"])}
    return "s" if isinstance(value, str) else value
