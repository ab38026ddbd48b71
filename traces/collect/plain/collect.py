"""The records of an API's plain calls that no recorded signature covers."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

from traces.collect.call.spec import Call, Json
from traces.collect.call.symbolise import INDEX_NAME, symbolise
from traces.collect.call.written import Question
from traces.collect.judge.framework import Framework
from traces.collect.plain import features, forms
from traces.collect.plain.choices import Known, Maker
from traces.collect.plain.parameters import Parameter
from traces.collect.records import filter, operators
from traces.collect.records.settings import Settings

SUPPORT = 12
"""Accepted calls without which a signature is not recorded: a rule that rests on fewer has low support. A signature without
sizes has one call, which is all of it."""


def typed(parameter: Parameter, own: Known) -> Parameter:
    """The parameter with the type in recorded calls, if its signature has none: lists of tensors, tensors, axes. A
    tensor whose elements all recorded calls write has the type `Elements`."""
    sorts = own.sorts[parameter.name] if parameter.type == "any" or parameter.name in own.elements else set()
    if parameter.type == "Tensor" and own.sorts[parameter.name] == {"Tensor[]"}:  # any number of them: inputs of ONNX's Concat
        return replace(parameter, is_list=True)
    if sorts == {"Elements"}:
        return replace(parameter, type="Elements")
    if "Tensor" in sorts or "Tensor[]" in sorts:
        return replace(parameter, type="Tensor", is_list="Tensor[]" in sorts)
    if parameter.type == "any" and not sorts and INDEX_NAME.search(parameter.name):
        return replace(parameter, type="int", is_list=True)
    if parameter.type == "any" and not sorts and parameter.name in own.codes:
        return replace(parameter, type="int")
    return parameter


def chosen(framework: Framework, api: str, signatures: Sequence[Sequence[Parameter]], recorded: Sequence[Json],
           everywhere: Known, most: int) -> list[Call]:  # fmt: skip
    """Accepted plain calls of the most novel forms, at most `most` forms."""
    own = Known()
    for record in recorded:
        own.add(record["args"])
    maker = Maker(everywhere, own)
    signatures = [[typed(parameter, own) for parameter in signature] for signature in signatures]
    found = [item for signature in signatures for item in forms.Search(framework, api, signature, maker).found()]
    found.sort(key=lambda item: len(item.form.given))
    candidates = [(item.calls[0].args, item) for item in found]
    return [call for item in features.novel(candidates, [r["args"] for r in recorded], most) for call in item.calls]


def named(asked: Question, signatures: Sequence[Sequence[Parameter]]) -> list[Call]:
    """A call as text with the names of its arguments, by the first signature that has them; none: []."""
    for signature in signatures:
        names = [parameter.name for parameter in signature]
        count = sum(arg["pos"] for arg in asked.args)
        given = [*names[:count], *(arg["name"] for arg in asked.args[count:])]
        missing = {p.name for p in signature if p.default is None and not p.packed}.difference(given)
        if len(set(given)) == len(asked.args) and set(given) <= set(names) and not missing:
            pairs = zip(given, asked.args, strict=True)
            call = symbolise(asked.api, [(name, arg["pos"], asked.value(arg["value"])) for name, arg in pairs])
            return [replace(call, source=forms.SOURCE)]
    return []


def lines(framework: Framework, api: str, calls: Sequence[Call], recorded: Sequence[Json], settings: Settings,
          hangs: Mapping[tuple[str, str], int], most: int) -> list[str]:  # fmt: skip
    """The record lines of these calls, numbered after the recorded ones, at most `most`. Signatures that are recorded have
    none."""
    seen = {features.identity(record["args"]) for record in recorded}
    number = 1 + max((int(record["op"].rpartition("-")[2]) for record in recorded), default=-1)
    written: list[str] = []
    found = filter.operators(framework, api, calls, Counter())
    for operator in sorted(found, key=lambda operator: (len(operator.args), operator.key())):
        identity = features.identity(operator.args)
        if forms.SOURCE not in operator.sources or identity in seen or len(written) >= most:
            continue
        seen.add(identity)
        for line in operators.explored(framework, operator, settings, hangs)["lines"]:
            record = json.loads(line)
            if len(record["pass"]) >= (SUPPORT if any(inputs for inputs, _ in record["pass"]) else 1):
                written.append(json.dumps({**record, "op": f"{api}-{number + len(written)}"}, separators=(",", ":")))
    return written
