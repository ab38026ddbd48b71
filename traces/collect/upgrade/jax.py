"""JAX's public functions, by their Python signatures."""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from typing import Any

import jax

from traces.collect.upgrade import overloads
from traces.collect.upgrade.public import Signature

PLACES = ("jax.lax", "jax.nn", "jax.numpy")
"""Modules with public functions."""


def _found(api: str) -> Any:
    place, _, name = api.rpartition(".")
    return getattr(importlib.import_module(place), name, None) if place in PLACES else None


class JaxPublic:
    """See public.Public."""

    def versions(self) -> dict[str, str]:
        """The distributions that answers depend on."""
        return {"jax": jax.__version__}

    def apis(self) -> list[str]:
        """The names of the public functions."""
        names = [f"{place}.{name}" for place in PLACES for name in dir(importlib.import_module(place))]
        return sorted(name for name in names if not name.rpartition(".")[2].startswith("_") and callable(_found(name)))

    def signature(self, api: str) -> Signature | None:
        """From Python."""
        texts = self.overloads(api)
        return Signature([part.partition("=")[0].split()[-1] for part in texts[0].split(", ")], texts) if texts else None

    def overloads(self, api: str) -> Sequence[str]:
        """See public.Public."""
        function = _found(api)
        text = overloads.of_python(function, (jax.Array,), {}) if function is not None else None
        return [] if text is None else [text]


def load() -> JaxPublic:
    """See public.load."""
    return JaxPublic()
