"""The change that makes the last call of an invalid model probably invalid, applied to the model's JSON.

runtime/generate/call/change.h draws it. A changed tensor becomes a further input of the model, so that all other
calls stay as they are. It replaces an input without other uses.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator
from typing import Any

Json = dict[str, Any]
KINDS = ("number", "dtype", "rank", "elements", "missing")
RANGES = {"negative": [-9, -1], "large": [1000, 2000]}
"""Integers out of the usual range of calls, and halves of them for floats: -4.5 to -1, or 500 to 999.5."""


class BadChange(ValueError):
    """The change does not fit the model."""


def applied(item: Json) -> Json:
    """The model with its change applied. Raises BadChange, and the exceptions of a wrong structure."""
    change = item["change"]
    kind, place, to = change["kind"], int(change["item"]), change["to"]
    if kind not in KINDS or item.get("near_miss") is not True:
        raise BadChange(f"expected a change of an invalid model's last call, got {kind!r}")
    made = {**item, "inputs": list(item["inputs"]), "nodes": copy.deepcopy(item["nodes"])}
    args = made["nodes"][-1]["args"]
    wanted = "const" if kind == "number" else "ref"
    found = [leaf for arg in args if arg["name"] == change["argument"] for leaf in _leaves(arg["value"], wanted)
             if wanted == "ref" or _is_number(leaf["const"])]  # fmt: skip
    if not 0 <= place < len(found):
        raise BadChange(f"the last call has no {'number' if wanted == 'const' else 'tensor'} {place} in {change['argument']!r}")
    leaf = found[place]
    if kind == "number":
        leaf["const"] = to
    elif kind == "missing":
        leaf.clear()
        leaf["const"] = "None"
    else:
        tensors = {t["id"]: t for t in [*item["inputs"], *(out for node in item["nodes"] for out in node["outputs"])]}
        new = _tensor(tensors[leaf["ref"]], leaf.pop("range", None), kind, to) | {"id": max(tensors) + 1}
        old, leaf["ref"] = leaf["ref"], new["id"]
        used = {ref["ref"] for node in made["nodes"] for arg in node["args"] for ref in _leaves(arg["value"], "ref")}
        made["inputs"] = [t for t in made["inputs"] if t["id"] != old or old in used] + [new]
    return made


def _leaves(value: Any, key: str) -> Iterator[Json]:
    """The values that have the key, in order."""
    if isinstance(value, list):
        for part in value:
            yield from _leaves(part, key)
    elif isinstance(value, dict) and key in value:
        yield value


def _is_number(text: str) -> bool:
    if not text.startswith(tuple("-.0123456789")):
        return False
    try:
        float(text)
    except ValueError:
        return False
    return True


def _tensor(old: Json, span: Any, kind: str, to: str) -> Json:
    """The input that replaces a tensor. span: the range of its elements, as the call has it."""
    new: Json = {"shape": list(old["shape"]), "dtype": old["dtype"]}
    new |= {key: old[key] for key in ("values", "range") if key in old}
    if span is not None and "range" not in new:
        new["range"] = list(span)
    if kind == "dtype":
        new["dtype"] = to
        if to in ("bool", "complex64"):
            new.pop("range", None)
    elif kind == "elements":
        if new["dtype"] == "bool" or "complex" in new["dtype"]:
            raise BadChange(f"elements of dtype {new['dtype']} have no range")
        new["range"] = [*RANGES[to], *([] if "int" in new["dtype"] else [2])]
    else:
        new["shape"] = {"more": [*new["shape"], 2], "fewer": new["shape"][:-1], "scalar": []}[to]
    return new
