"""Derives calls of one variant of a function from those of another: torch.add, torch.Tensor.add, torch.Tensor.add_ and the
operator's methods torch.Tensor.__add__, __radd__ and __iadd__; torch.linalg.det and torch.det.

Whether a variant accepts the same arguments is not checked here: later filters drop rejected calls.
"""

from __future__ import annotations

from collections.abc import Iterator

from traces.collect.call.arglist import signature
from traces.collect.call.spec import Call, Json
from traces.collect.frameworks.torch.calls import Collection, lookup, public_names

SOURCE = "twin"
SHALLOW = ("docs", "modules", "opinfo-error")
"""Sources that may have only a call or two."""
HOMES = ("torch.Tensor", "torch", "torch.nn.functional", "torch.special", "torch.linalg")
OPERATORS = {
    "add": "add", "sub": "sub", "mul": "mul", "truediv": "true_divide", "div": "true_divide",
    "floordiv": "floor_divide", "mod": "remainder", "pow": "pow", "matmul": "matmul", "and": "bitwise_and",
    "or": "bitwise_or", "xor": "bitwise_xor", "lshift": "bitwise_left_shift", "rshift": "bitwise_right_shift",
    "lt": "lt", "le": "le", "gt": "gt", "ge": "ge", "eq": "eq", "ne": "ne", "neg": "neg", "abs": "abs",
    "invert": "bitwise_not",
}  # fmt: skip
"""Python's operator methods, and the functions they stand for."""


def _origins(api: str) -> Iterator[str]:
    """The APIs that this one may be a variant of, the closest first."""
    home, name = api.rsplit(".", 1)
    if home not in HOMES:
        return
    if name.startswith("__"):
        bare = name.strip("_")
        stem = bare if bare in OPERATORS else bare[1:]
        if stem in OPERATORS:
            yield from (f"{other}.{OPERATORS[stem]}" for other in ("torch.Tensor", "torch"))
        return
    bare = name.removesuffix("_")
    for other in (home, *HOMES):
        yield from (f"{other}.{form}" for form in dict.fromkeys((name, bare, bare + "_")) if f"{other}.{form}" != api)


def _renamed(api: str, args: list[Json]) -> list[Json] | None:
    """The arguments under the names of a method or a function; None if the API cannot take them."""
    method = api.startswith("torch.Tensor.")
    if method and not (args and args[0]["pos"] and isinstance(args[0]["value"], dict) and "tensor" in args[0]["value"]):
        return None
    if api.endswith("__") and not (len(args) <= 2 and all(arg["pos"] for arg in args)):
        return None
    first = args[0]
    if first["name"] in ("self", "input"):
        first = {**first, "name": "self" if method else "input"}
    return [first, *args[1:]]


def add_twins(collection: Collection) -> None:
    """Adds calls of the APIs that have none from tests, from the closest variant with some, else from examples."""
    known = {api for api in collection.plans if collection.has(api)}
    tested = {api for api in known if any(call.source not in SHALLOW for call in collection.plans[api].calls)}
    for api in public_names():
        origins = [origin for origin in _origins(api) if origin in known and lookup(origin) is not None]
        if api in tested or not origins:
            continue
        origin = next((origin for origin in origins if origin in tested), origins[0])
        plan = collection.plans[origin]
        for call in plan.calls:
            args = _renamed(api, call.args)
            if args is not None:
                collection.keep(Call(api, args, call.values, SOURCE, call.expect_failure))
                if not call.expect_failure:
                    own = collection.plans[api].other_dtypes[signature(args)]
                    own |= plan.other_dtypes.get(signature(call.args), set())
