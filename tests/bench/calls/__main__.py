"""How many of 100 ordinary calls of JAX the rules answer rightly:

    RULESMITH_LIBRARY=build/librulesmith.so PYTHONPATH=runtime/python:. python -m tests.bench.calls     (a Python with JAX)

An answer is `right` (accepts or rejects as JAX does, with the same output shapes), `wrong`, or `unknown`. Exits 1 if any is
wrong."""

from __future__ import annotations

import collections
import functools
import sys
from collections.abc import Callable
from typing import Any

import jax

import rulesmith
from tests.bench.calls.jax_calls import CALLS, A

Shapes = tuple[tuple[int, ...], ...]


def mapped(value: Any, make: Callable[[A], Any]) -> Any:
    """The arguments with their arrays made by `make`."""
    if isinstance(value, A):
        return make(value)
    if isinstance(value, dict):
        return {name: mapped(item, make) for name, item in value.items()}
    return type(value)(mapped(item, make) for item in value) if isinstance(value, (list, tuple)) else value


def live(api: str, args: Any, kwargs: Any) -> Shapes | None:
    """The shapes that JAX returns; None if it rejects the call."""
    function = functools.reduce(getattr, api.split(".")[1:], jax)
    try:
        result = function(*args, **kwargs)
    except Exception:
        return None
    return tuple(tuple(leaf.shape) for leaf in jax.tree.leaves(result))


def ruled(api: str, args: Any, kwargs: Any) -> Shapes | str | None:
    """The shapes that the rules give; None if they reject the call; a text if they do not know."""
    try:
        return tuple(map(tuple, rulesmith.shapes(api, *args, **kwargs)))
    except rulesmith.Refused:
        return None
    except rulesmith.UnknownCall as error:
        return str(error).split("\n", 1)[0]


def main() -> int:
    """The command."""
    counts, rest = collections.Counter[str](), []
    for api, args, kwargs in CALLS:
        want = live(api, *(mapped(part, lambda a: jax.numpy.ones(a.shape, a.dtype)) for part in (args, kwargs)))
        got = ruled(api, *(mapped(part, lambda a: rulesmith.Tensor(a.shape, a.dtype)) for part in (args, kwargs)))
        verdict = "unknown" if isinstance(got, str) else "right" if got == want else "wrong"
        counts[verdict] += 1
        if verdict != "right":
            rest.append(f"{verdict}: {api} {args} {kwargs or ''} JAX: {want} rules: {got}")
    print(
        f"{counts['right']} right, {counts['wrong']} wrong, {counts['unknown']} unknown, of {len(CALLS)} calls", *rest, sep="\n"
    )
    return counts["wrong"] > 0


if __name__ == "__main__":
    sys.exit(main())
