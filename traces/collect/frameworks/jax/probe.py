"""Finds calls of public functions by trying arguments of the types in their annotations. Accepted calls are kept."""

from __future__ import annotations

import random
import re
import zlib
from collections import Counter
from collections.abc import Sequence
from typing import Any

from rulefuzz.framework import Rejected, Unanswered
from traces.collect.call.arglist import signature
from traces.collect.call.spec import Call, TensorSpec, Unsupported
from traces.collect.call.symbolise import INDEX_NAME, symbolise
from traces.collect.frameworks.jax import public
from traces.collect.frameworks.jax.names import FIXED
from traces.collect.frameworks.jax.public import Parameter
from traces.collect.judge.framework import Framework, NotTensors

SOURCE = "probe"
TRIES, KEPT, SAMPLES, STRANGE = 80, 12, 3, 6
"""Calls tried per function; calls kept, in total and of one structure; calls that return no arrays, if none does."""
OMITTED = re.compile(r"^(out|out_sharding|sharding|device|precision|accuracy|order|copy|implementation|algorithm|impl|"
                     r"preferred_element_type|unique_indices|indices_are_sorted|optimize|"
                     r"aggregate_to_topk|reduction_input_size_override)$")  # fmt: skip
"""Optional arguments without influence on the mathematics."""
DTYPES = ("float32", "int32", "bool", "bfloat16", "float16", "complex64", "int8", "uint8")
KEY = re.compile(r"^keys?$")
ARRAYS = re.compile(r"(Sequence|list|tuple)\[[^\]]*Array")
ROWS = re.compile(r"(Sequence|list|tuple)\[(tuple|Sequence|list)\[(int(?:, int)*)|PadValueLike|^Dot\w*Numbers|^tuple\[tuple")
INTEGERS = re.compile(r"Shape\b|(Sequence|tuple|list)\[(int|DimSize)")
WORD = re.compile(r"""['"`]{1,2}([A-Za-z_]\w{1,20})['"`]{1,2}""")
WORDS = 12


def words(api: str, text: str) -> list[str]:
    """The texts that an argument may be: those of its type, else those in quotes in the documentation."""
    literals = re.findall(r"'([^']*)'", text)
    found = WORD.findall(getattr(public.functions()[api], "__doc__", None) or "")
    return literals or list(dict.fromkeys(word for word in found if not word.endswith("_like")))[:WORDS]


class Maker:
    """Random arguments; the arrays of one call mostly share a shape or parts of it."""

    def __init__(self, api: str, rng: random.Random, rank: int | None = None) -> None:
        self._api, self._rng = api, rng
        rank = rng.choice((0, 1, 1, 2, 2, 2, 3, 3, 4)) if rank is None else rank
        self._shape = tuple(rng.choice((1, 2, 2, 3, 4, 6)) for _ in range(rank))
        if rng.random() < 0.3:
            self._shape = (max(self._shape, default=2),) * rank
        self._whole, self._same = rng.random() < 0.2, rng.random() < 0.3

    def _array(self) -> TensorSpec:
        rng, shape = self._rng, self._shape
        kind = 1.0 if self._same else rng.random()
        if kind < 0.15 and len(shape) > 1:
            shape = shape[1:]
        elif kind < 0.3:
            shape = shape[: rng.randrange(len(shape) + 1)]
        elif kind < 0.4:
            shape = tuple(rng.choice((1, 2, 3, 4)) for _ in shape)
        elif kind < 0.5 and shape:
            shape = (*shape[:-1], rng.choice((1, 2, 3)))
        elif kind < 0.55:
            shape = tuple(rng.choice((1, 2, 3)) for _ in range(rng.randrange(4)))
        drawn = rng.random()
        if self._whole or drawn < 0.08:
            return TensorSpec(shape, "int32")
        return TensorSpec(shape, "float32" if drawn < 0.94 else "bool" if drawn < 0.98 else "complex64")

    def _size(self) -> int:
        return self._rng.choice((0, 1, 1, 2, 2, 3, 4, *self._shape))

    def _axes(self, text: str) -> Any:
        rank = max(len(self._shape), 1)
        if re.search(r"Sequence|tuple|Axis\b|Shape", text) and (self._rng.random() < 0.5 or "int |" not in text + " |"):
            return self._rng.sample(range(rank), self._rng.randrange(rank) + 1)
        return self._rng.randrange(-1, rank)

    def _rows(self, text: str) -> Any:
        rng, rank = self._rng, len(self._shape)
        if "Numbers" in text or text.startswith("tuple[tuple"):
            some = rng.sample(range(rank), rng.randrange(min(rank, 2) + 1))
            return [[some[:1], some[:1]], [some[1:], some[1:]]]
        count = text.count("int", text.find("[") if "[" in text else 0)
        width = max(count if "tuple[int" in text else 2, 1)
        count = rank if rng.random() < 0.8 else max(rank - 2, 0)
        return [[rng.choice((0, 1, 1, 2)) for _ in range(width)] for _ in range(count)]

    def value(self, parameter: Parameter) -> Any:
        """An argument of this type. Raises Unsupported."""
        rng, text, name = self._rng, parameter.type, parameter.name
        if KEY.search(name) and self._api.startswith("jax.random."):
            return TensorSpec((2,), "uint32")
        if public.FUNCTION.search(text) and "str" not in text:
            raise Unsupported(f"takes a function: {name}")
        if "DType" in text or name.endswith("dtype"):
            return rng.choice(DTYPES)
        if ROWS.search(text):
            return self._rows(text)
        if ARRAYS.search(text) and not (re.match(r"(np.ndarray \| )?Array", text) and rng.random() < 0.3):
            return [self._array() for _ in range(rng.choice((1, 2, 2, 3)))]
        if INDEX_NAME.search(name) or FIXED.search(name) or text.startswith("Axis"):
            return self._axes(text)
        if INTEGERS.search(text) and ("ArrayLike" not in text or rng.random() < 0.5):
            shape = list(self._shape)
            return rng.choice((shape, shape[::-1], shape[1:], [self._size(), *shape], [self._size() for _ in shape]))
        if "Array" in text or text in ("", "Any", "typing.Any", "T", "RealNumeric", "Numeric"):
            return self._array() if rng.random() < 0.88 else rng.choice((0.5, 2.0, 2, 1, 3))
        if text.startswith("bool"):
            return rng.random() < 0.6
        if re.match(r"(int|DimSize|SupportsIndex)", text):
            return self._size()
        if "float" in text:
            return rng.choice((0.5, 0.1, 2.0))
        found = words(self._api, text) if re.search(r"str|Literal|ModeString", text) else []
        if not found:
            raise Unsupported(f"takes a {text or 'value'}: {name}")
        return rng.choice(found)

    def call(self) -> list[tuple[str, bool, Any]]:
        """Names, whether by position, and values: all that must be given, and a few others by name."""
        rng, made = self._rng, []
        others = [p for p in public.parameters(self._api) if p.optional and not OMITTED.search(p.name)]
        for p in public.parameters(self._api):
            if p.many:
                made += [(f"{p.name}{i}", True, self.value(p)) for i in range(rng.choice((1, 2, 2, 3)))]
            elif not p.optional:
                made.append((p.name, not p.by_name, self.value(p)))
        chosen = rng.sample(others, min(len(others), rng.choice((0, 0, 1, 1, 1, 2))))
        return made + [(p.name, False, self.value(p)) for p in others if p in chosen]


def probe(framework: Framework, api: str, dropped: Counter[tuple[str, str]]) -> list[Call]:
    """Accepted calls of a function. `dropped` gets the reason if there are none."""
    rng, found, counts = random.Random(zlib.crc32(api.encode())), list[Call](), Counter[str]()
    last, strange = "no call made from its annotations is accepted", 0
    for number in range(TRIES):
        try:
            made = Maker(api, rng, number % 5 if number < 20 else None).call()
            call = symbolise(api, made, frozenset(name for name, _, _ in made if FIXED.search(name)))
            text = signature(call.args)
            if counts[text] >= SAMPLES:
                continue
            outputs: Sequence[Any] = framework.run(framework.compile(api, call.args), call.values, "normal")
        except (Unsupported, NotTensors) as error:
            last = str(error)
            strange += isinstance(error, NotTensors)
            if strange >= STRANGE and not found:
                break
            continue
        except (Rejected, Unanswered) as error:
            last = f"no call made from its annotations is accepted: {str(error).split(':', 1)[0]}"
            continue
        if outputs:
            counts[text] += 1
            call.source = SOURCE
            found.append(call)
        if len(found) >= KEPT:
            break
    if not found:
        dropped[("", last)] += 1
    return found
