"""Guessed calls of operators about which only the schema is known: random shapes related to the first input's, dtypes of the
type variables, and attributes."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from traces.collect.call.spec import Unsupported
from traces.collect.frameworks.onnx.calls.forms import allowed_dtypes, filled
from traces.collect.frameworks.onnx.cases import OPTION, SCHEMA, TYPES, Case

DIMS = ((2, 4), (4,), (2, 3, 4), (1, 2, 8), (1, 2, 4, 4), (4, 4), (2, 16), (1, 8), (1, 4, 2, 8), (3, 2, 4), (1, 4, 8))
"""Shapes of the first input."""
GUESSES = 1500
"""Guesses of an operator."""
PLAIN = ("float32", "int64", "int32", "uint8", "int8", "bool", "string")
"""Dtypes that kernels have most often."""
SCALARS = re.compile(r"(scale|zero_point|_ratio|threshold|epsilon|start|delta|limit)s?$", re.IGNORECASE)
"""Names of inputs that are mostly scalars."""
WORDS = re.compile(r"""['"`]([A-Za-z_]\w*)['"`]""")
"""Values of an attribute that its description quotes."""


def _shape(formal: Any, place: int, dims: Sequence[int], rng: random.Random) -> tuple[int, ...]:
    if place == 0:
        return tuple(dims)
    if SCALARS.search(formal.name) and rng.random() < 0.8:
        return () if rng.random() < 0.7 else (1,)
    turned = (*dims[:-2], dims[-1], dims[-2]) if len(dims) > 1 else tuple(dims)
    some = tuple(dim for dim in dims if rng.random() < 0.6)
    drawn = tuple(rng.choice((1, 2, 4, *dims)) for _ in range(rng.randint(1, 4)))
    return rng.choice((tuple(dims), (dims[-1],), turned, (dims[-1], dims[-1]), some, drawn, ()))


def _value(attribute: Any, dims: Sequence[int], rng: random.Random) -> Any:
    """A value of an attribute; raises Unsupported."""
    kind = attribute.type
    if kind == TYPES.INT:
        return rng.choice((1, 2, 3, 4, 16, *dims))
    if kind == TYPES.FLOAT:
        return rng.choice((1.0, 0.5))
    if kind == TYPES.INTS:
        return [rng.choice((1, 2, *dims))] * rng.choice((1, 2, dims[-1]))
    if kind == TYPES.FLOATS:
        return [1.0] * rng.choice((1, 2, dims[-1]))
    words = WORDS.findall(attribute.description) or ["a"]
    if kind == TYPES.STRING:
        return rng.choice(words)
    if kind == TYPES.STRINGS:
        return [f"{chr(97 + i)}" for i in range(rng.choice((1, 2, dims[-1])))]
    raise Unsupported(f"an attribute that it requires is of type {kind.name}")


def _attributes(schema: Any, dims: Sequence[int], rng: random.Random) -> dict[str, Any]:
    """The required attributes, and often some that have no default."""
    found, generous = {}, rng.choice((0.0, 0.3, 0.7))
    for name, attribute in sorted(schema.attributes.items()):
        if attribute.required:
            found[name] = _value(attribute, dims, rng)
        elif not attribute.default_value.type and rng.random() < generous:
            try:
                found[name] = _value(attribute, dims, rng)
            except Unsupported:
                continue
    return found


def _dtypes(schema: Any, plainly: float, rng: random.Random) -> dict[str, str]:
    """A dtype of each type variable; raises Unsupported."""
    found = {}
    for variable in dict.fromkeys(formal.type_str for formal in schema.inputs):
        names = allowed_dtypes(schema, variable)
        if not names:
            raise Unsupported("takes a sequence or an optional")
        plain = next((name for name in PLAIN if name in names), names[0])
        found[variable] = plain if rng.random() < plainly else rng.choice(names)
    return found


def guesses(schema: Any) -> Iterator[Case]:
    """Guessed calls, the same each time; raises Unsupported."""
    rng = random.Random(schema.name)
    last = max((i for i, formal in enumerate(schema.inputs) if formal.option != OPTION.Optional), default=-1)
    for number in range(GUESSES):
        dims = DIMS[number % len(DIMS)]
        dtypes = _dtypes(schema, 0.8, rng)
        count = last + 1 if rng.random() < 0.6 else rng.randint(last + 1, len(schema.inputs))
        inputs: list[np.ndarray | None] = []
        for place, formal in enumerate(schema.inputs[:count]):
            given = formal.option != OPTION.Optional or rng.random() < 0.7
            inputs.append(filled(_shape(formal, place, dims, rng), dtypes[formal.type_str]) if given else None)
        most = max(schema.min_output, len(schema.outputs))
        outputs = schema.min_output if rng.random() < 0.8 else rng.randint(schema.min_output, most)
        yield Case("probe", inputs, _attributes(schema, dims, rng), outputs, SCHEMA)
