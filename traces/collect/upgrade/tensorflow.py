"""TensorFlow's raw operators, by their definitions."""

from __future__ import annotations

import inspect

import tensorflow as tf

from traces.collect.upgrade.public import Signature


class TensorFlowPublic:
    """See public.Public."""

    def versions(self) -> dict[str, str]:
        """The distributions that answers depend on."""
        return {"tensorflow": tf.__version__}

    def apis(self) -> list[str]:
        """The names of the raw operators."""
        return sorted(f"tf.raw_ops.{name}" for name in dir(tf.raw_ops) if not name.startswith("_"))

    def signature(self, api: str) -> Signature | None:
        """From the function in raw_ops; the argument `name` of every operator is omitted."""
        function = getattr(tf.raw_ops, api.rsplit(".", 1)[-1], None)
        if function is None:
            return None
        parameters = [p for p in inspect.signature(function).parameters.values() if p.name != "name"]
        text = ", ".join(p.name if p.default is p.empty else f"{p.name}={p.default!r}" for p in parameters)
        return Signature([p.name for p in parameters], [f"({text})"])


def load() -> TensorFlowPublic:
    """See public.load."""
    return TensorFlowPublic()
