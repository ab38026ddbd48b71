"""The dtypes that a framework's calls are tried with, and their names in its constants."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

USUAL = ("bool", "uint8", "int8", "int16", "int32", "int64", "float16", "bfloat16", "float32", "float64")
"""Dtypes that every framework has."""


@dataclass(frozen=True)
class Trying:
    """Of one framework; adapters have theirs as TRYING."""

    dtypes: tuple[str, ...] = USUAL
    prefix: str = ""
    """`torch.` of `torch.float32`."""
    codes: Mapping[str, str] = field(default_factory=dict)
    """From a number to the dtype that it stands for in the arguments `coded`."""
    coded: frozenset[str] = frozenset()
    numbers: bool = False
    """True if numbers and scalars have lower priority than other tensors in dtype promotion."""

    def dtype(self, argument: str, text: str) -> str:
        """The dtype that a constant names; "" if it names none."""
        if self.prefix and text.startswith(self.prefix):
            return text.removeprefix(self.prefix)
        return self.codes.get(text, "") if argument in self.coded else ""

    def text(self, dtype: str) -> str:
        """The constant of a dtype. KeyError if it has none."""
        return self.prefix + dtype if self.prefix else next((c for c, named in self.codes.items() if named == dtype), "None")
