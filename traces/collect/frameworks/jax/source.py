"""JAX's seed calls: a few per function, written here. The collector derives the rest."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import numpy as np

from traces.collect.call.spec import Json, TensorSpec, of_integers
from traces.collect.call.symbolise import symbolise
from traces.collect.frameworks.jax.adapter import resolve
from traces.collect.records.plan import Plan

SOURCE = "examples"


def f(*dims: int) -> TensorSpec:
    """An array of floats."""
    return TensorSpec(dims, "float32")


def b(*dims: int) -> TensorSpec:
    """An array of booleans."""
    return TensorSpec(dims, "bool")


def i(*items: int) -> TensorSpec:
    """A vector of integers, whose elements may matter."""
    return of_integers((len(items),), "int32", np.array(items), 8)


Example = tuple[tuple[Any, ...], dict[str, Any]]

EXAMPLES: dict[str, list[Example]] = {
    "jax.numpy.add": [((f(2, 3), f(2, 3)), {}), ((f(2, 3), f(3)), {}), ((f(4, 1), f(1, 5)), {})],
    "jax.numpy.matmul": [((f(2, 3), f(3, 4)), {}), ((f(5, 2, 3), f(3, 4)), {}), ((f(3), f(3)), {})],
    "jax.numpy.where": [((b(2, 3), f(2, 3), f(2, 3)), {}), ((b(3), f(2, 3), f()), {})],
    "jax.numpy.sum": [((f(2, 3),), {"axis": 1}), ((f(2, 3, 4),), {}), ((f(2, 3),), {"axis": 0, "keepdims": True})],
    "jax.numpy.tile": [((f(2, 3), (2, 1)), {}), ((f(4), 3), {})],
    "jax.numpy.repeat": [((f(2, 3), 2), {"axis": 1}), ((f(5), 3), {})],
    "jax.numpy.roll": [((f(4, 3), 1), {"axis": 0}), ((f(6), 2), {})],
    "jax.numpy.outer": [((f(3), f(4)), {}), ((f(2, 3), f(4)), {})],
    "jax.numpy.tril": [((f(4, 4),), {}), ((f(3, 5), 1), {})],
    "jax.numpy.kron": [((f(2, 3), f(4, 2)), {}), ((f(3), f(2)), {})],
    "jax.numpy.take": [((f(5, 3), i(0, 2, 4)), {"axis": 0}), ((f(7), i(1, 6)), {})],
    "jax.lax.concatenate": [(([f(2, 3), f(2, 4)],), {"dimension": 1}), (([f(2), f(3), f(1)],), {"dimension": 0})],
    "jax.lax.reshape": [((f(2, 6), (3, 4)), {}), ((f(4, 2), (8,)), {})],
    "jax.lax.slice": [((f(5, 6), (1, 0), (4, 6)), {}), ((f(9), (2,), (8,), (3,)), {})],
    "jax.lax.dot": [((f(2, 3), f(3, 4)), {}), ((f(3), f(3)), {})],
    "jax.lax.conv": [((f(1, 2, 8, 8), f(4, 2, 3, 3), (1, 1), "SAME"), {}),
                     ((f(2, 3, 9, 7), f(5, 3, 2, 2), (2, 1), "VALID"), {})],
    "jax.lax.top_k": [((f(3, 6), 2), {}), ((f(5), 5), {})],
    "jax.lax.broadcast": [((f(2, 3), (4,)), {}), ((f(3), (2, 5)), {})],
    "jax.nn.softmax": [((f(2, 5),), {}), ((f(2, 3, 4),), {"axis": 1})],
    "jax.nn.glu": [((f(3, 4),), {}), ((f(4, 5),), {"axis": 0})],
}  # fmt: skip


def _named(function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> list[tuple[str, bool, Any]]:
    """The arguments with their names."""
    names = list(inspect.signature(function).parameters)
    return [*((name, True, arg) for name, arg in zip(names, args, strict=False)), *((k, False, v) for k, v in kwargs.items())]


def collect(report: Callable[[int, int], None]) -> dict[str, Json]:
    """The calls of all functions, by API, symbolised."""
    found: dict[str, Json] = {}
    for done, (api, examples) in enumerate(sorted(EXAMPLES.items())):
        report(done, len(EXAMPLES))
        plan = Plan()
        for args, kwargs in examples:
            call = symbolise(api, _named(resolve(api), args, kwargs))
            call.source = SOURCE
            plan.add(call)
        found[api] = plan.to_json()
    return found
