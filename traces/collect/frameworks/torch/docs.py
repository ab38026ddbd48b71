"""Calls from the examples in docstrings of functions, methods and modules, for APIs that no test calls."""

from __future__ import annotations

import contextlib
import math
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import torch

from rulefuzz import sandbox
from traces.collect.call.spec import Json
from traces.collect.frameworks.torch.calls import LARGEST, Collection, Recorder, lookup, public_names

LIMITS = sandbox.Limits(1 << 31, 8, 40)
"""Limits of a process that runs a docstring's examples."""
SOURCE = "docs"


def examples(text: str) -> list[str]:
    """The statements after >>>, with continuation lines after '...'; indented and broken docstrings are common."""
    found: list[str] = []
    for line in text.splitlines():
        bare = line.strip()
        if bare.startswith(">>>"):
            found.append(bare[4:])
        elif bare.startswith("...") and found:
            found[-1] += "\n" + bare[4:]
    return found


def _docstrings() -> Iterator[tuple[str, str]]:
    seen: set[str] = set()
    objects = [(name, lookup(name)) for name in public_names()]
    objects += [(f"torch.nn.{name}", getattr(torch.nn, name)) for name in sorted(dir(torch.nn))]
    for name, value in objects:
        text = getattr(value, "__doc__", None)
        if isinstance(text, str) and ">>>" in text and text not in seen:
            seen.add(text)
            yield name, text


def run(statements: list[str]) -> Json:
    """The calls of the statements. A failing statement is skipped, and the next still runs."""
    collection = Collection()
    torch.manual_seed(1)
    names: dict[str, Any] = {"torch": torch, "nn": torch.nn, "F": torch.nn.functional, "math": math}
    with torch.no_grad(), Recorder(collection, SOURCE, True, LARGEST):
        for statement in statements:
            with contextlib.suppress(Exception):
                exec(compile(statement, "example", "exec"), names)
    return collection.to_json()


def add_examples(collection: Collection, report: Callable[[int, int], None]) -> None:
    """Adds the examples' calls of APIs that the collection lacks."""
    docstrings = list(_docstrings())
    known = {api for api in collection.plans if collection.has(api)}
    for done, (_, text) in enumerate(docstrings):
        report(done, len(docstrings))
        statements = examples(text)
        found, _ = sandbox.call(partial(run, statements), LIMITS)
        collection.merge(found or {}, lambda api: api not in known)
