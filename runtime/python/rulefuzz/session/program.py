"""The source text of a model's program and of the calls of its session."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from rulefuzz.session import changes, construct
from rulefuzz.session.construct import Construct, Session

IMPORTS = ("collections", "contextlib", "copy", "dataclasses", "enum", "functools", "itertools", "math", "sys", "types")
"""Modules that programs may use."""
WHOLE = """
def whole(*shape, dtype=torch.float32, first=0):
    return ((torch.arange(math.prod(shape)) * 3 + first) % 7 - 3).reshape(shape).to(dtype)
"""
NAME = re.compile(r"\bv\d+\b")
ASSIGNED = re.compile(r"^(?:del )?(\w+(?:, \w+)*) (?:[-+*/]?=)|^del (\w+)", re.M)
"""Names that a statement assigns."""


@dataclass(frozen=True)
class Body:
    """A model as lines of source."""

    imports: Sequence[str]
    fed: Sequence[str]
    """The names of its arguments."""
    constants: Sequence[str]
    """v7 for each constant c7."""
    calls: Sequence[str]
    outputs: Sequence[str]
    floats: Sequence[str] = ()
    """Arguments that may require gradients."""
    strided: Sequence[str] = ()
    """Arguments whose layout may change: tensors with memory of their own."""


def _parts(body: Body, count: int) -> list[tuple[list[str], list[str], list[str]]]:
    """The calls in `count` parts: the names that each takes, its lines, and the names that it makes."""
    size, found = len(body.calls), []
    for i in range(count):
        lines = list(body.calls[size * i // count : size * (i + 1) // count])
        made = list(dict.fromkeys(name for line in lines for name in NAME.findall(line.partition(" = ")[0])))
        used = dict.fromkeys(name for line in lines for name in NAME.findall(line))
        constants = [name for name in used if name in body.constants]
        taken = [name for name in used if name not in made and name not in constants]
        found.append((taken, [*(f"{name} = c{name[1:]}" for name in constants), *lines], made))
    return found


def _tuple(names: Sequence[str]) -> str:
    return f"({', '.join(names)}{',' if len(names) == 1 else ''})"


def _indented(text: str) -> list[str]:
    return ["    " + line for line in text.splitlines() if line.strip()]


def _function(name: str, takes: str, lines: Sequence[str]) -> list[str]:
    return ["", "", f"def {name}({takes}):", *lines]


def _part_lines(parts: Sequence[tuple[list[str], list[str], list[str]]]) -> list[str]:
    found: list[str] = []
    for i, (taken, lines, made) in enumerate(parts):
        inner = [*("    " + line for line in lines), f"    return {_tuple(made)}"]
        found += _function(f"part{i}", ", ".join(taken), inner)
    return found


def _model(body: Body, constructs: Sequence[Construct], rest: Sequence[str]) -> list[str]:
    """The function that is compiled. `rest`: the calls of no construct."""
    lines = ["    extras = []"] if constructs else []
    for one in constructs:
        lines += ["    extra = []", *_indented(one.body), "    extras.append(extra)"]
    returned = f"    return {_tuple(body.outputs)}, {'extras' if constructs else '[s * n]'}"
    takes = ", ".join([*body.fed, "s", "t", "n"])
    constants = [
        f"    {name} = c{name[1:]}" for name in body.constants if name in {*NAME.findall(" ".join([*rest, *body.outputs]))}
    ]
    return _function("model", takes, [*constants, *("    " + line for line in rest), *lines, returned])


def _arguments(body: Body, call: changes.Call) -> list[str]:
    """The statements that make the arguments of a call."""
    lines = []
    for name, shape, first in (("s", call.shape[0], call.first), ("t", call.shape[1], call.first + 2)):
        dtype = f", dtype=torch.{call.dtype}" if call.dtype != "float32" else ""
        lines.append(f"    {name} = whole({shape}{dtype}{f', first={first}' if first else ''})")
    for way in call.relaid:
        lines += [f"    {name} = relaid({name}, {way})" for name in ("s", "t", *body.strided)]
    if call.requires_grad and ("float" in call.dtype):
        lines.append("    s.requires_grad_()")
    if call.requires_grad:
        lines += [f"    {name}.requires_grad_()" for name in body.floats]
    if call.alias:
        lines.append(f"    t = {call.alias if call.alias != 's.t()' or call.shape[0].count(',') == 1 else 's'}")
    return [*lines, f"    return {', '.join([*body.fed, 's', 't', call.number])}"]


def _before(statement: str) -> list[str]:
    found = [
        name for group in ASSIGNED.findall(statement.replace("; ", "\n")) for part in group for name in part.split(", ") if name
    ]
    names = [name for name in dict.fromkeys(found) if name.isidentifier()]
    return [*([f"    global {', '.join(names)}"] if names else []), *(f"    {line}" for line in statement.split("; "))]


def text(body: Body, session: Session) -> str:
    """The program: definitions, `model`, and for call k its arguments given_k, before_k and around_k, if it has them. CALLS
    lists them, `state` returns what is compared after each call, by construct."""
    count = len(session.constructs)
    parts = _parts(body, count) if count else []
    constructs = [construct.filled(item, i, f"part{i}", ", ".join(parts[i][0]), _tuple(parts[i][2]))
                  for i, item in enumerate(session.constructs)]  # fmt: skip
    each = [
        [construct.filled(item, i, "", "", "()", changes.number(change.pick // 2)) for i, item in enumerate(session.constructs)]
        for change in session.changes
    ]
    calls = changes.calls(session.changes, each)
    lines = [
        *(f"import {name}" for name in IMPORTS),
        "",
        "import torch",
        "import torch._dynamo",
        *body.imports,
        *WHOLE.splitlines(),
    ]
    lines += changes.RELAID.splitlines() if any(call.relaid for call in calls) else []
    lines += (
        changes.DEFAULT_DTYPE.splitlines() if any("default_dtype" in text for call in calls for text in call.around) else []
    )
    lines += _part_lines(parts)
    for one in constructs:
        lines += ["", "", *one.definitions.splitlines()] if one.definitions else []
    lines += _model(body, constructs, () if count else body.calls)
    for k, call in enumerate(calls):
        lines += _function(f"given_{k}", ", ".join(body.fed), _arguments(body, call))
        lines += _function(f"before_{k}", "", _before(call.before)) if call.before else []
        around = [f"    with {', '.join(call.around)}:"] if call.around else []
        indent = "    " if around else ""
        lines += _function(f"call_{k}", "function, given", [*around, f"    {indent}return function(*given)"])
    shown = [f'        "{item.name} {i}": [{", ".join(one.state)}],'
             for i, (item, one) in enumerate(zip(session.constructs, constructs, strict=True))]  # fmt: skip
    lines += _function("state", "", ["    return {", *shown, "    }"])
    table = [f"    (given_{k}, {f'before_{k}' if call.before else 'None'}, call_{k})," for k, call in enumerate(calls)]
    lines += ["", "", "CALLS = [", *table, "]"]
    tidy = re.sub(r"\n{4,}", "\n\n\n", "\n".join(lines)) + "\n"
    return _imported(tidy)


def _imported(text: str) -> str:
    """The text without imports that it does not need."""
    for name in IMPORTS:
        if not re.search(rf"\b{name}\.", text):
            text = text.replace(f"import {name}\n", "", 1)
    return text if "torch._dynamo." in text else text.replace("import torch._dynamo\n", "", 1)


def values(session: Session) -> list[int]:
    """For each call, how often the elements of the arguments changed before it."""
    found, now = [0], 0
    for item in session.changes:
        found.append(now + (item.name == "values"))
        now = now if item.pick % 2 else found[-1]
    return found


def kinds(session: Session) -> list[str]:
    """The change before each call."""
    return ["", *(item.name for item in session.changes)]
