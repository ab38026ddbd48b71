"""Calls from the examples in JAX's docstrings."""

from __future__ import annotations

import contextlib
import io
import os
import warnings
from collections.abc import Callable
from types import ModuleType
from typing import Any

import jax
import numpy as np

from traces.collect.call.spec import Call, Unsupported
from traces.collect.frameworks.jax import names, public

SOURCE = "docs"
LARGEST = 4096
"""Elements of an array of a recorded call."""


def statements(text: str) -> list[str]:
    """The statements after >>>, with continuation lines after '...'."""
    found: list[str] = []
    for line in text.splitlines():
        bare = line.strip()
        if bare.startswith(">>>"):
            found.append(bare[4:])
        elif bare.startswith("...") and found:
            found[-1] += "\n" + bare[4:]
    return found


class Recorded:
    """A function that notes its calls."""

    def __init__(self, api: str, function: Callable[..., Any], note: Callable[[str, Any, Any], None]) -> None:
        self._api, self._function, self._note = api, function, note

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        result = self._function(*args, **kwargs)
        self._note(self._api, args, kwargs)
        return result

    def __getattr__(self, name: str) -> Any:
        return getattr(self._function, name)


class Namespace:
    """A module whose public functions note their calls."""

    def __init__(self, module: ModuleType, name: str, note: Callable[[str, Any, Any], None]) -> None:
        self._module, self._name, self._note = module, name, note

    def __getattr__(self, part: str) -> Any:
        value, api = getattr(self._module, part), f"{self._name}.{part}"
        if isinstance(value, ModuleType):
            return Namespace(value, api, self._note)
        return Recorded(api, value, self._note) if api in public.functions() else value


def _small(value: Any) -> bool:
    if isinstance(value, (list, tuple)):
        return all(map(_small, value))
    return not isinstance(value, (jax.Array, np.ndarray)) or value.size <= LARGEST


def calls(api: str) -> list[Call]:
    """The calls of a function in the examples of its docstring. An example that fails is skipped, and the next still
    runs."""
    found: list[Call] = []

    def note(name: str, args: Any, kwargs: Any) -> None:
        traced = any(isinstance(leaf, jax.core.Tracer) for leaf in jax.tree.leaves((args, kwargs)))
        if name == api and not traced and _small([*args, *kwargs.values()]):
            with contextlib.suppress(Unsupported):
                found.append(names.call(name, args, kwargs, SOURCE))

    root = Namespace(jax, "jax", note)
    known: dict[str, Any] = {"jax": root, "jnp": root.numpy, "lax": root.lax, "np": np, "nn": root.nn, "random": root.random}
    home = os.getcwd()
    with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()):
        warnings.simplefilter("ignore")
        for statement in statements(getattr(public.functions()[api], "__doc__", None) or ""):
            if not statement.startswith(("import ", "from ")):
                with contextlib.suppress(Exception):
                    exec(compile(statement, "example", "exec"), known)
    os.chdir(home)
    return found
