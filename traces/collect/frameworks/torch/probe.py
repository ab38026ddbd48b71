"""Finds calls of public functions that no source calls, by trying arguments of the types in their schemas or annotations.
Calls that run and return tensors are kept.
"""

from __future__ import annotations

import inspect
import random
import re
import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import torch

from rulefuzz import sandbox
from traces.collect.call.spec import Json
from traces.collect.call.symbolise import INDEX_NAME
from traces.collect.frameworks.torch import twins as torch_twins
from traces.collect.frameworks.torch.adapter import flatten
from traces.collect.frameworks.torch.calls import Collection, lookup, public_names
from traces.collect.judge.framework import NotTensors

SOURCE = "probe"
LIMITS = sandbox.Limits(1 << 31, 8, 40)
"""Limits of a process that probes an API."""
TRIES = 1500
KEPT = 40
"""Sufficient calls of an API."""
NOT_TRIED = re.compile(r"\.(set|get|is|save|load|seed|manual_seed|from_file|init|enable|use|clear|import|fork|wait|"
                       r"compile|while_loop|cond|vmap)(_\w+|$)|autocast|quantize|fbgemm|dlpack")  # fmt: skip
"""Names of functions that change the process or take no dense tensors."""


@dataclass(frozen=True)
class Place:
    """A parameter: its type as text, and whether it is optional."""

    name: str
    type: str
    optional: bool
    keyword: bool = False


def schemas(api: str) -> list[list[Place]]:
    """The parameters of each overload."""
    parts = api.split(".")
    names = (f"{parts[1]}_{parts[-1]}", parts[-1]) if len(parts) > 2 else (parts[-1],)
    found = []
    for name in names:
        for schema in torch._C._jit_get_schemas_for_operator(f"aten::{name}"):
            if not any(a.is_out for a in schema.arguments):
                places = [Place(a.name, str(a.type), a.has_default_value(), a.kwarg_only) for a in schema.arguments]
                found.append(places)
    return found or _annotated(lookup(api))


def _annotated(function: Any) -> list[list[Place]]:
    try:
        parameters = list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):
        return []
    places = []
    for parameter in parameters:
        if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
            continue
        written = parameter.annotation
        text = written.__name__ if isinstance(written, type) else str(written)
        if written is None:  # BroadcastingList2[int] is that
            text = "int"
        elif written is parameter.empty or text == "Any":
            text = "Tensor" if parameter.default is parameter.empty else "None"
        optional = parameter.default is not parameter.empty
        places.append(Place(parameter.name, text, optional, parameter.kind == parameter.KEYWORD_ONLY))
    return [places] if places else []


class Maker:
    """Random arguments; the tensors of one call mostly share a shape or parts of it."""

    def __init__(self, rng: random.Random) -> None:
        self._rng = rng
        self._shape = [rng.choice((1, 2, 2, 3, 4, 6)) for _ in range(rng.choice((0, 1, 1, 2, 2, 3, 3, 4, 4, 5)))]
        if rng.random() < 0.3:
            self._shape = [max(self._shape, default=2)] * len(self._shape)
        self._integers = rng.random() < 0.15

    def _tensor(self) -> torch.Tensor:
        rng, shape = self._rng, self._shape
        kind = rng.random()
        if kind < 0.25 and len(shape) > 1:
            shape = [shape[1]]
        elif kind < 0.35:
            shape = shape[: rng.randrange(len(shape) + 1)]
        elif kind < 0.45:
            shape = [rng.choice((1, 2, 3, 4)) for _ in shape]
        elif kind < 0.5:
            shape = [rng.choice((1, 2, 3)) for _ in range(rng.randrange(4))]
        dtype = rng.random()
        if self._integers or dtype < 0.12:
            return torch.randint(0, 2, shape)
        return torch.rand(shape) if dtype < 0.92 else torch.rand(shape) > 0.5

    def value(self, place: Place) -> Any:
        """An argument of this type; raises KeyError for an unknown type."""
        rng, text = self._rng, place.type
        optional = re.fullmatch(r"(?:typing\.)?Optional\[(.*)\]|(.*) \| None", text)
        if optional:
            if rng.random() < 0.5:
                return None
            text = optional[1] or optional[2]
        index = INDEX_NAME.search(place.name) is not None
        rank = len(self._shape)
        if text.startswith(("List[Tensor", "list[Tensor", "Sequence[Tensor", "tuple[Tensor", "Tuple[Tensor")):
            return [self._tensor() for _ in range(rng.choice((1, 2, 2, 3, 4)))]
        if text.startswith(("List[Optional[Tensor", "list[Tensor | None")):
            return [torch.randint(0, 2, (2,))]
        if re.search(r"List\d?\[(Sym)?[iI]nt|list\[int|Sequence\[int|[Tt]uple\[int|BroadcastingList|Size|_size", text):
            if index:
                return sorted(rng.sample(range(max(rank, 1)), rng.randrange(max(rank, 1)) + 1))
            return [rng.choice((0, 1, 1, 2, 2, 3)) for _ in range(rng.choice((0, 1, 1, 2, 2, 3)))]
        if "Tensor" in text:
            return self._tensor()
        if re.search(r"bool", text):
            return rng.random() < 0.5
        if re.search(r"[iI]nt", text):
            return rng.randrange(-1, max(rank, 1)) if index else rng.choice((0, 1, 1, 2, 2, 3, 4))
        if re.search(r"float|number|Scalar", text):
            return rng.choice((0.5, 1.0, 1, 2, 0.1))
        if "None" in text:
            return None
        if "str" in text:
            return rng.choice(("mean", "none", "sum"))
        raise KeyError(text)

    def call(self, places: Sequence[Place]) -> tuple[list[Any], dict[str, Any]]:
        """Positional and keyword arguments; optional ones are mostly omitted from some position on."""
        required = sum(not place.optional and not place.keyword for place in places)
        ordered = [place for place in places if not place.keyword]
        count = required + (self._rng.randrange(len(ordered) - required + 1) if self._rng.random() < 0.4 else 0)
        named = [place for place in places if place.keyword and not place.optional]
        return [self.value(place) for place in ordered[:count]], {place.name: self.value(place) for place in named}


def probe(api: str) -> Json:
    """The calls of an API that ran and returned tensors."""
    collection, function = Collection(), lookup(api)
    rng = random.Random(zlib.crc32(api.encode()))
    torch.manual_seed(1)
    overloads = schemas(api)
    plan = collection.plans[api]
    for _ in range(TRIES if overloads else 0):
        try:
            args, kwargs = Maker(rng).call(rng.choice(overloads))
            call = collection.symbolised(api, function, args, kwargs, False)  # before the call, which may be in place
            if call is None or not any(isinstance(value, torch.Tensor) for value in flatten(function(*args, **kwargs))):
                continue
        except (KeyError, NotTensors):
            continue
        except Exception:  # any exception of the function
            continue
        call.source = SOURCE
        collection.keep(call)
        if len(plan.calls) >= KEPT:
            break
    return collection.to_json()


def _known(collection: Collection, api: str) -> bool:
    """True if the API's calls are more than a guess: a built-in function often has other arguments than its namesake in
    torch.nn.functional that is written in Python."""
    home, name = api.rsplit(".", 1)
    wrapped = home == "torch" and lookup(f"torch.nn.functional.{name.removesuffix('_')}") is not None
    guessed = all(call.source == torch_twins.SOURCE for call in collection.plans[api].calls) if wrapped else False
    return collection.has(api) and not guessed


def add_probes(collection: Collection, report: Callable[[int, int], None]) -> None:
    """Adds calls of public functions that the collection lacks or has only as guesses."""
    left = [api for api in public_names() if not _known(collection, api) and not NOT_TRIED.search(api)]
    for done, api in enumerate(left):
        report(done, len(left))
        found, _ = sandbox.call(partial(probe, api), LIMITS)
        collection.merge(found or {})
