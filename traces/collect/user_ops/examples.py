"""The example calls that a user gives, by `--call` or in a file of `--calls`, and the check that the function accepts them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from traces.collect.call.spec import Call, Unsupported
from traces.collect.call.symbolise import symbolise
from traces.collect.judge.framework import Framework
from traces.collect.judge.verdict import FAIL, judge
from traces.collect.user_ops import forms, notation
from traces.collect.user_ops.notation import Argument, BadCall
from traces.collect.user_ops.places import Place, placed

SOURCE = "own"
LONGEST = 300
"""Characters of an exception's message that are shown."""


@dataclass(frozen=True)
class Example:
    """One example call."""

    text: str
    """As the user wrote it, or the place in a file."""
    call: Call
    near: tuple[Call, ...] = ()
    """Calls near it: optional arguments omitted, switches turned, other floats."""


def symbolised(api: str, arguments: Sequence[Argument], parameters: Sequence[Place] | None) -> Call:
    """The call; arguments by name, if the function's parameters have names."""
    return replace(symbolise(api, placed(arguments, parameters)), source=SOURCE)


def written(api: str, text: str, parameters: Sequence[Place] | None) -> Example:
    """The example of a `--call`. Raises BadCall."""
    try:
        name, arguments = notation.read(text)
        if not f".{api}".endswith(f".{name}"):
            raise BadCall(f"expected a call of {api}, got one of {name}")
        first, *near = (symbolised(api, other, parameters) for other in forms.others(arguments, parameters))
    except (BadCall, Unsupported) as error:
        raise BadCall(f"--call {text!r}: {error}") from None
    return Example(text, first, tuple(near))


def read(api: str, path: Path) -> list[Example]:
    """The examples of a file of `--calls`. Raises BadCall."""
    found = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        try:
            item = json.loads(line)
            call = Call(api, item["args"], tuple(map(int, item["in"])), SOURCE)
        except (ValueError, KeyError, TypeError) as error:
            raise BadCall(f"{path}:{number}: error: {type(error).__name__}: {error}") from None
        found.append(Example(f"{path}:{number}", call))
    return found


def short(message: str) -> str:
    """A message in one line, cut if it is long."""
    line = " ".join(message.split())
    return line if len(line) <= LONGEST else line[: LONGEST - 1] + "…"


def check(framework: Framework, examples: Sequence[Example]) -> None:
    """Raises BadCall with the function's own exception if it rejects an example for all elements."""
    for example in examples:
        call = example.call
        verdict = judge(framework, framework.compile(call.api, call.args), call.values, None)
        if verdict.kind == FAIL:
            raise BadCall(f"{call.api} raised {short(verdict.message)} for {example.text}")
