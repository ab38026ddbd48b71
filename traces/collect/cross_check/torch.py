"""PyTorch: fake and meta tensors, compilers, decompositions, out= and other forms of a call, against the live kernels."""

from __future__ import annotations

import inspect
import logging
import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch.utils._pytree import tree_flatten, tree_unflatten

from rulefuzz.sandbox import Limits
from traces.collect.call.spec import Json, Values
from traces.collect.cross_check import torch_ways as ways
from traces.collect.cross_check.noise import noise
from traces.collect.cross_check.opinion import DIFFERS, NOISE, NONE, SAME, Opinion
from traces.collect.frameworks.torch.adapter import TorchAdapter, TorchCall, resolve
from traces.collect.judge.framework import BENIGN
from traces.collect.judge.oracle import Subject

TIERS = {"fake": ("fake", "aot", "inductor"), "meta": ("meta", "fake", "inductor"), "aot": ("aot", "inductor"),
         "decomp": ("decomp", "inductor")}  # fmt: skip
"""The ways that confirm a kind's differences, its own first."""
BY_VALUE = ("decomp", "out", "twin", "inductor", "aot")
NO_STRIDES = ("out", "twin", "decomp")
"""Kinds that make no promise about strides."""
LIMITS = {"aot": Limits(memory=6 << 30, cpu=60, wall=180), "inductor": Limits(memory=6 << 30, cpu=120, wall=300)}
VIEWING = ("resize", "set", "as_strided", "squeeze", "unsqueeze", "transpose", "swapaxes", "swapdims", "t", "detach",
           "requires_grad", "rename", "data", "share_memory", "put", "random", "resize_as", "zero", "normal", "uniform",
           "bernoulli", "exponential", "geometric", "cauchy", "log_normal", "fill_diagonal", "copy")  # fmt: skip
"""Names whose in-place form is another function."""


IN_PLACE = re.compile(r"broadcast shape|size mismatch|requires dtype|tensor expected|in-?place|can't be cast")
"""Messages of in-place operations whose operand cannot hold the result."""


@dataclass
class Asked:
    """A compiled call and its other forms."""

    api: str
    call: TorchCall
    types: Sequence[tuple[int, str]]
    forms: dict[str, Callable[..., Any]]


def forms_of(api: str) -> dict[str, Callable[..., Any]]:
    """Methods, operations in place and functions that are the same operation, by name."""
    home, name = api.rsplit(".", 1)
    bare = name.removesuffix("_")
    if home not in ("torch", "torch.Tensor", "torch.nn.functional") or name.startswith("_") or bare in VIEWING:
        return {}
    found = {}
    for other in (f"torch.Tensor.{bare}", f"torch.Tensor.{bare}_", f"torch.{bare}", f"{home}.{bare}_"):
        try:
            function = resolve(other)
        except AttributeError:
            continue
        if other != api and callable(function):
            found[other] = function
    return found


def in_place(api: str) -> bool:
    """True if a call writes to its first tensor, which keeps its shape and dtype."""
    return api.endswith("_") and not api.endswith("__")


def _excused(what: str, live: Any, said: Any) -> bool:
    """True if keeping shape and dtype explains a difference between an in-place operation and its functional form."""
    texts = [x for x in (live, said) if isinstance(x, str)]
    return what in ("dtype", "shape") or any(IN_PLACE.search(text) for text in texts)


def bound(function: Callable[..., Any], positional: list[Any], named: dict[str, Any]) -> tuple[Any, list[Any]]:
    """A call as a function of its tensors, and the tensors."""
    leaves, shape = tree_flatten((positional, named))
    places = [i for i, leaf in enumerate(leaves) if isinstance(leaf, torch.Tensor)]

    def call(*tensors: Any, **more: Any) -> Any:
        filled = list(leaves)
        for place, tensor in zip(places, tensors, strict=True):
            filled[place] = tensor
        where, names = tree_unflatten(filled, shape)
        return function(*where, **names, **more)

    return call, [leaves[i] for i in places]


class TorchAsker:
    """See opinion.Asker."""

    def __init__(self, framework: TorchAdapter, kind: str, base: Limits) -> None:
        logging.disable(logging.CRITICAL)  # fake tensors log a trace for each rejected call
        self._framework, self._kind = framework, kind
        self._way = getattr(ways, kind)
        self.limits = LIMITS.get(kind, base)

    def compile(self, subject: Subject) -> Asked:
        """See Asker."""
        call = self._framework.compile(subject.api, subject.args)
        forms = forms_of(subject.api) if self._kind == "twin" else {self._kind: call.function}
        if self._kind == "out" and subject.api.endswith("__"):  # they ignore further arguments silently
            forms = {}
        return Asked(subject.api, call, subject.types, forms)

    def _live(self, asked: Asked, values: Values, fill: str = "normal") -> Any:
        torch.manual_seed(1)
        call, inputs = bound(asked.call.function, *asked.call.arguments(values, fill))
        return ways.told(lambda: call(*inputs), self._kind in BY_VALUE)

    def ask(self, asked: Asked, values: Values) -> list[Opinion]:
        """See Asker."""
        if not asked.forms or asked.call.uninitialised:
            return [Opinion(NONE)]
        live = self._live(asked, values)
        if isinstance(live, str):
            if any(not isinstance(self._live(asked, values, fill), str) for fill in BENIGN):
                return [Opinion(NOISE, "elements", live)]
        elif self._kind == "out" and len(live) != len(asked.types):
            return [Opinion(NONE)]
        elif self._kind in BY_VALUE:
            torch.manual_seed(2)
            call, inputs = bound(asked.call.function, *asked.call.arguments(values, "normal"))
            if ways.difference(live, ways.told(lambda: call(*inputs), True)):
                return [Opinion(NOISE, "random")]
        return [self._opinion(asked, values, live, form, function) for form, function in asked.forms.items()]

    def _opinion(self, asked: Asked, values: Values, live: Any, form: str, function: Callable[..., Any]) -> Opinion:
        more = [dtype for _, dtype in asked.types] if self._kind == "out" else []
        torch.manual_seed(1)
        call, inputs = bound(function, *asked.call.arguments(values, "normal"))
        if self._kind in ("aot", "inductor"):
            torch._dynamo.reset()
        with torch.random.fork_rng(devices=()):
            said = ways.told(lambda: self._way(call, inputs, *more), self._kind in BY_VALUE)
        what = ways.difference(live, said)
        if self._kind == "twin" and what in ("accepts", "rejects", "dtype", "shape"):
            what = "" if in_place(form) != in_place(asked.api) and _excused(what, live, said) else what
        if not what or (what == "strides" and self._kind in NO_STRIDES):
            return Opinion(SAME)
        row = noise(self._kind, live if isinstance(live, str) else "", said if isinstance(said, str) else "")
        return Opinion(NOISE if row else DIFFERS, row.name if row else what, shown(live), shown(said),
                       form if self._kind == "twin" else "")  # fmt: skip

    def tiers(self) -> tuple[str, ...]:
        """See Asker."""
        return TIERS.get(self._kind, (self._kind,))

    def script(self, subject: Subject, values: Values, opinion: Opinion, kind: str) -> str:
        """See Asker."""
        api, args = subject.api, subject.args
        inputs: list[str] = []
        text = ", ".join((("" if arg["pos"] else f"{arg['name']}=") + spelt(arg["value"], values, inputs)) for arg in args)
        names = "".join(f"x{i}, " for i in range(len(inputs)))
        by_value = kind in BY_VALUE
        more = "".join(f', "{dtype}"' for _, dtype in subject.types) if kind == "out" else ""
        functions = "\n\n".join(inspect.getsource(f).rstrip() for f in (ways.told, ways.difference, getattr(ways, kind)))
        other = opinion.form if kind == "twin" else api
        return f'''"""{api}: {kind} {opinion.what}. PyTorch {torch.__version__.split("+")[0]}."""
from __future__ import annotations
import sys
from collections.abc import Callable, Sequence
from typing import Any
import torch

{functions}

def call({names}**more): return {api}({text}{", " if text else ""}**more)
def other({names}**more): return {other}({text}{", " if text else ""}**more)
def inputs():
    torch.manual_seed(0)
    return [{", ".join(inputs)}]

expected = told(lambda: call(*inputs()), {by_value})
actual = told(lambda: {kind}(other, inputs(){more}), {by_value})
what = difference(expected, actual)
print("call:", "{api}({text})".replace('"', "'"), "with", {", ".join(inputs)!r})
print("expected:", expected)
print("actual:  ", actual)
sys.exit(1 if what == "{opinion.what}" else 0)
'''


def shown(told: Any) -> str:
    """An answer as text."""
    return told if isinstance(told, str) else "; ".join(f"{x[1]}{x[0]} strides {x[2]}" for x in told)


def spelt(value: Json, values: Values, inputs: list[str]) -> str:
    """An argument as Python source; its tensors are added to the inputs."""
    if isinstance(value, str):
        return str(values[int(value[1:])])
    if isinstance(value, list):
        return "[" + ", ".join(spelt(item, values, inputs) for item in value) + "]"
    if "const" in value:
        text = str(value["const"])
        return f'float("{text}")' if text.lstrip("-") in ("inf", "nan") else text
    dtype = getattr(torch, value["dtype"])
    if "elements" in value:
        inputs.append(f"torch.tensor({spelt(value['elements'], values, [])}, dtype={dtype})")
        return f"x{len(inputs) - 1}"
    dims = [values[int(symbol[1:])] for symbol in value["tensor"]]
    if "range" in value:
        low, high = (values[int(symbol[1:])] for symbol in value["range"])
        text = f"torch.randint({low}, {max(high, low + 1)}, {tuple(dims)}, dtype={dtype})"
    elif dtype.is_floating_point or dtype.is_complex:
        text = f"torch.rand({tuple(dims)}, dtype={dtype})" if dtype != torch.float32 else f"torch.rand({tuple(dims)})"
    else:
        text = f"torch.ones({tuple(dims)}, dtype={dtype})"
    inputs.append(text)
    assert math.prod(dims) >= 0
    return f"x{len(inputs) - 1}"


def asker(framework: TorchAdapter, kind: str, limits: Limits) -> TorchAsker:
    """See kinds.asker_of."""
    return TorchAsker(framework, kind, limits)
