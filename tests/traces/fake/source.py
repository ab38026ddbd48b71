"""The fake framework's example calls."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from traces.collect.call.spec import Json, TensorSpec
from traces.collect.call.symbolise import symbolise
from traces.collect.records.plan import Plan


def f(*dims: int) -> TensorSpec:
    """A tensor of floats."""
    return TensorSpec(dims, "float32")


EXAMPLES: dict[str, list[dict[str, Any]]] = {
    "fake.matmul": [{"a": f(2, 3), "b": f(3, 4)}],
    "fake.narrow": [{"x": f(5, 2), "start": 1, "length": 3}, {"x": f(6), "start": 0, "length": 6}],
    "fake.concat": [{"parts": [f(2, 3), f(4, 3)]}],
}


def collect(report: Callable[[int, int], None]) -> dict[str, Json]:
    """The calls of all functions, by API, symbolised."""
    found: dict[str, Json] = {}
    for done, (api, examples) in enumerate(sorted(EXAMPLES.items())):
        report(done, len(EXAMPLES))
        plan = Plan()
        for arguments in examples:
            call = symbolise(api, [(name, True, value) for name, value in arguments.items()])
            call.source = "examples"
            plan.add(call)
        found[api] = plan.to_json()
    return found
