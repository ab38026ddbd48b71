"""Parameters, call signatures and calls that ended their process, as readable text."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence

from traces.collect.call.spec import Json
from traces.collect.records import filter
from traces.collect.user_ops.places import Place

LONGEST = 160
"""Characters of a signature that are shown."""


def parameters(api: str, places: Sequence[Place] | None) -> str:
    """`f(x, weight, groups=1)`: a function's parameters with their defaults; "" if they are unknown."""
    if places is None:
        return ""
    words = [f"{place.name}={place.default!r}" if place.optional else place.name for place in places]
    return f"{api.rpartition('.')[2]}({', '.join(words)})"


def _value(value: Json) -> str:
    if isinstance(value, list):
        return f"[{', '.join(map(_value, value))}]"
    if not isinstance(value, dict):
        return "_"
    if "tensor" in value:
        return f"[{', '.join('_' * len(value['tensor']))}]"
    inside = value.get("const", value.get("float"))
    return _value(value["elements"]) if "elements" in value else str(inside or "_")


def signature(text: str) -> str:
    """`x[_, _], groups=_`: a signature's canonical text (arglist.signature) as pages print it."""
    words = [name + ("" if isinstance(value, dict) and "tensor" in value else "=") + _value(value)
             for name, _, value in json.loads(text)]  # fmt: skip
    shown = ", ".join(words)
    return shown if len(shown) <= LONGEST else shown[: LONGEST - 1] + "…"


def reason(text: str) -> str:
    """Why a signature is not learned. A call near an example was never recorded, so it is rejected, not replayed."""
    return "the function rejects it" if text == filter.REPLAY else text


def _killer(call: str) -> str:
    """A call of a journal: its signature as far as there is room, and its values."""
    _, form, _, values, *_ = call.split("\t")
    return f"{form[:LONGEST]} with {values}"


def deaths(noted: Sequence[tuple[str, str]]) -> list[str]:
    """Lines about calls that ended their process: the first of each signature and way to end, and the number of others."""
    first: dict[tuple[str, str], str] = {}
    alike = Counter[tuple[str, str]]()
    for how, call in noted:
        form = call.split("\t")[1]
        first.setdefault((how, form), call)
        alike[(how, form)] += 1
    more = {key: f", and {count - 1} more of this signature" if count > 1 else "" for key, count in alike.items()}
    return [f"{key[0]}{more[key]}: {_killer(call)}" for key, call in first.items()]
