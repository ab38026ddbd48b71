"""JAX's public functions, by their Python signatures."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import jax

from traces.collect.frameworks.jax import public
from traces.collect.upgrade import overloads
from traces.collect.upgrade.public import Signature


class JaxPublic:
    """See public.Public."""

    def versions(self) -> dict[str, str]:
        """The distributions that answers depend on."""
        return {"jax": jax.__version__}

    def apis(self) -> list[str]:
        """The names of the public functions."""
        return list(public.functions())

    def signature(self, api: str) -> Signature | None:
        """From Python."""
        texts = self.overloads(api)
        return Signature([part.partition("=")[0].split()[-1] for part in texts[0].split(", ")], texts) if texts else None

    def overloads(self, api: str) -> Sequence[str]:
        """See public.Public. A ufunc has the parameters of its function."""
        function: Any = public.functions().get(api)
        text = overloads.of_python(getattr(function, "_func", function), (jax.Array,), {}) if function is not None else None
        return [] if text is None else [text]


def load() -> JaxPublic:
    """See public.load."""
    return JaxPublic()
