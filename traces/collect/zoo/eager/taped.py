"""Recorded calls with data flow."""

from __future__ import annotations

from dataclasses import dataclass, field

from traces.collect.call.spec import Json


@dataclass(frozen=True)
class Tensor:
    """The properties of a recorded tensor."""

    shape: tuple[int, ...]
    dtype: str
    low: float
    """The minimum element."""
    high: float
    constant: bool = False


@dataclass
class Call:
    """A call: its arguments as in a model, with the names of tensors as references."""

    api: str
    args: list[Json] = field(default_factory=list)
    input: list[str] = field(default_factory=list)
    output: list[str] = field(default_factory=list)


@dataclass
class Tape:
    """All calls of a run."""

    calls: list[Call] = field(default_factory=list)
    tensors: dict[str, Tensor] = field(default_factory=dict)

    @property
    def constants(self) -> set[str]:
        """Parameters and buffers."""
        return {name for name, tensor in self.tensors.items() if tensor.constant}
