"""Titles of findings, as a maintainer would write them: "Abs(NaN) returns 0 instead of NaN". runtime/fuzz/triage.c adds the
backend and the pass."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from rulefuzz.framework import Framework
from rulefuzz.model import Arg, Const, Json, Model, Node, Ref, Values

LONGEST = 160
"""Maximum length of a message in a title. It is cut between two words."""
CALL = 48
"""Maximum length of a call with its operands."""
FEW = 4
"""Maximum number of elements that are listed."""
NAMES = 2
"""Maximum number of operators that are listed."""


@functools.cache
def wrappers(framework: str) -> tuple[tuple[str, str], ...]:
    """What a framework and its compilers put around a message, in titles.tsv: patterns and their replacements, in order. Those
    of "exception" are types that add nothing to their message."""
    lines = Path(__file__).with_name("titles.tsv").read_text(encoding="ascii").splitlines()
    return tuple((pattern, kept) for name, pattern, kept in (line.split("\t") for line in lines) if name == framework)


def bare(framework: str, message: str) -> str:
    """The message without its wrappers."""
    left = message.strip()
    for pattern, kept in wrappers(framework):
        left = re.sub(pattern, kept, left).strip() or left
    return left


def cut(text: str, longest: int = LONGEST) -> str:
    """The text in one line, cut between two words."""
    line = " ".join(text.split())
    if len(line) <= longest:
        return line
    return line[: longest + 1].rpartition(" ")[0].rstrip(",;:") + " …"


def name(api: str) -> str:
    """An API's short name: Conv for onnx.Conv; Add-7 for onnx.Add_7, an older version."""
    last = api.rsplit(".", 1)[-1]
    return re.sub(r"_(\d+)$", r"-\1", last) if api.startswith("onnx.") else last


def names(apis: Iterable[str]) -> str:
    """The short names of some APIs."""
    found = list(dict.fromkeys(map(name, apis)))
    more = len(found) - NAMES
    return " + ".join(found[:NAMES]) + (f" + {more} more" if more > 0 else "")


def number(text: str) -> str:
    """An element in its shortest form."""
    try:
        value = float(text)
    except ValueError:
        return text
    if value != value:
        return "NaN"
    return text if "." not in text and "e" not in text.lower() else f"{value:.7g}"


# ---- a call with its operands


def _spelled(items: Any) -> str:
    if isinstance(items, list):
        return f"[{', '.join(map(_spelled, items))}]"
    return number(str(items))


def _operand(framework: Framework, value: Any, values: Values) -> str | None:
    """A tensor with few elements, or with equal ones; None for others."""
    layout, shape, dtype, array = framework.seen(values[value.id])
    if layout or "complex" in dtype:
        return None
    flat = array.reshape(-1).tolist()
    if not flat:
        return None
    if len(flat) <= FEW and len(shape) < 2:
        return _spelled(array.tolist())
    return _spelled(flat[0]) if all(x == flat[0] or (x != x and flat[0] != flat[0]) for x in flat) else None


def _argument(framework: Framework, arg: Arg, values: Values) -> str | None:
    value = arg.value
    if isinstance(value, Ref):
        return _operand(framework, value, values) if value.id in values else None
    if isinstance(value, Const):
        value = value.text
    if isinstance(value, list) and any(not isinstance(item, int) for item in value):
        return None
    if not isinstance(value, (int, float, str, list)):
        return None
    return f"{value}" if arg.positional else f"{arg.name}={value}"


def call(framework: Framework, node: Node, values: Values) -> str:
    """A call with its operands if these are few and short, else its name."""
    arguments = [_argument(framework, arg, values) for arg in node.args]
    spelled = f"{name(node.api)}({', '.join(a for a in arguments if a is not None)})"
    return name(node.api) if None in arguments or len(spelled) > CALL else spelled


# ---- titles

ELEMENTS = re.compile(r"^(.*\d+ of \d+ elements, first at \[[^\]]*\]: )(.*?) instead of (.*?)(?:;.*)?$")
MEMORY, RANDOM, WRITES = "uninitialized-memory", "nondeterministic", "writes-input"
"""Causes of a difference, in an answer's `cause`. runtime/fuzz/failure.c knows them."""
MEMORY_OF = "memory of "
"""How a difference in aliases begins. runtime/fuzz/failure.c knows it."""
WRITE = "in-place write"
"""What is named as the API of a difference in memory that a call writes to. The calls that share or write memory interact."""
CAUSES = {MEMORY: "reads uninitialized memory", RANDOM: "is nondeterministic", WRITES: "overwrites its input"}


def pair(how: str) -> list[str]:
    """Both elements of a difference from compare.other_elements, the target's first; empty for others."""
    found = ELEMENTS.match(how)
    return [found[2], found[3]] if found else []


def caused(side: str, how: str, cause: str) -> str:
    """A difference between two runs of one side, by its cause."""
    found = ELEMENTS.match(how)
    where, values = (found[1], f" ({found[3]}, then {found[2]})") if found else ("", "")
    does = " overwrites an input" if cause == WRITES else f"'s result {CAUSES[cause].replace('reads', 'depends on')}"
    return f"{where}the {side}{does}{values}"


def of_cause(first: Json) -> str:
    """The title of a difference with a known cause."""
    return f"{name(first['api'])} {CAUSES[first['cause']]}"


def of_difference(framework: Framework, model: Model, values: Values, first: Json, again: bool) -> str:
    """The title of a difference. `values`: the reference's tensors. `again`: only a second run shows it."""
    node = first["node"]
    if first["api"] == WRITE:
        marked = [(bool(effect.writes), node_.api) for node_, effect in zip(model.nodes, model.effects, strict=True) if effect]
        elements, where = pair(first["how"]), names(api for _, api in sorted(marked, key=lambda one: one[0]))
        return f"{where}: " + (" instead of ".join(map(number, elements)) or first["how"].partition(";")[0])
    what = call(framework, model.nodes[node], values) if node >= 0 else name(first["api"])
    if first["api"].startswith("gradient of "):
        what = f"the gradient of {what}"
    elif node < 0 and " of " in first["api"]:  # a result of a transform
        what = " of ".join(map(name, first["api"].split(" of ")))
    found = pair(first["how"])
    how = " instead of ".join(map(number, found)) if found else first["how"].partition(";")[0]
    return f"{what} returns {how}" + (" in its second run" if again else "")


def of_error(framework: Framework, apis: Sequence[str], error: Json, how: str = "fails") -> str:
    """The title of an exception. `how`: what it means for the call."""
    message = cut(bare(framework.name, error["message"]))
    for api in apis:  # many messages begin with it
        plain = name(api).strip("_")
        message = re.sub(rf"^_*{re.escape(plain)}_*(?:\(\))?: ", "", message)
    kind = error["type"]
    is_plain = any(re.fullmatch(pattern, kind) for pattern, _ in wrappers("exception"))
    said = f"raises {kind}" if how == "fails" and not is_plain else how
    return f"{names(apis)} {said}: {message}" if message else f"{names(apis)} {said}"


def of_validation(framework: Framework, api: str, error: Json) -> str:
    """The title of an accepted invalid model: the message with which the reference rejects it."""
    message = cut(bare(framework.name, error["message"]))
    return f"accepts an invalid {name(api)}: {message}"
