"""The arguments of a JAX call as plain values with names."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import jax
import numpy as np

from traces.collect.call.spec import Call, TensorSpec, Unsupported, of_integers
from traces.collect.call.symbolise import symbolise
from traces.collect.frameworks.jax import public

FIXED = re.compile(r"dimensions$|dimension_numbers$|^(permutation|source|destination)$")
"""Names of arguments whose integers index dimensions, beside those of every framework."""
GIVEN = 8
"""Integer arrays with at most this many elements are listed one by one."""


def plain(value: Any) -> Any:
    """An argument as the plain values that symbolise takes. Raises Unsupported."""
    if isinstance(value, (jax.Array, np.ndarray)):
        if jax.dtypes.issubdtype(value.dtype, jax.dtypes.extended):
            raise Unsupported("an input is an array of keys")
        dtype = jax.dtypes.canonicalize_dtype(value.dtype).name
        if "int" in dtype and dtype != "uint32":
            return of_integers(tuple(value.shape), dtype, np.asarray(value), GIVEN)
        return TensorSpec(tuple(value.shape), dtype)
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, (np.dtype, type)) or hasattr(value, "dtype"):  # jax.numpy.float32 and numpy's
        try:
            return jax.dtypes.canonicalize_dtype(value).name
        except TypeError:
            raise Unsupported(f"argument of type {type(value).__name__}") from None
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    return value


def _positional(api: str, count: int) -> list[str]:
    """Names of the positional arguments."""
    found: list[str] = []
    for parameter in public.parameters(api):
        if parameter.many:
            found += [f"{parameter.name}{i}" for i in range(count - len(found))]
        elif not parameter.by_name:
            found.append(parameter.name)
    return [*found, *(f"arg{i}" for i in range(len(found), count))][:count]


def call(api: str, args: Sequence[Any], kwargs: dict[str, Any], source: str) -> Call:
    """The symbolized call. Raises Unsupported."""
    names = _positional(api, len(args))
    named = [*((name, True, plain(arg)) for name, arg in zip(names, args, strict=True)),
             *((name, False, plain(arg)) for name, arg in kwargs.items())]  # fmt: skip
    made = symbolise(api, named, frozenset(name for name, _, _ in named if FIXED.search(name)))
    made.source = source
    return made
