"""The kinds of regions, and the further results of each. runtime/model/regions.def lists them for generators."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

VARIANTS = 8
"""The upper bound of a region's variant, whose bits choose details of the transform."""
FLOATS = ("float16", "bfloat16", "float32", "float64")
JACOBIAN, HESSIAN = 4096, 256
"""Maximum number of elements."""
INSIDE = 2
"""Bit of a variant: the region also returns its gradients, or the Jacobian of its Jacobian."""


class Declared(Protocol):
    """A tensor as the model declares it."""

    @property
    def shape(self) -> tuple[int, ...]:
        """Its shape."""

    @property
    def dtype(self) -> str:
        """Its dtype."""


Form = tuple[tuple[int, ...], str]
"""A shape and a dtype, "" if it is unknown."""
Further = Callable[[Sequence[Declared], Sequence[Declared], int], "list[Form] | None"]
"""The further results, of arguments, ends and variant; None if the kind does not apply. Ends are the results that no call of
the region uses."""


def _floats(tensors: Sequence[Declared]) -> list[Form]:
    return [(t.shape, t.dtype) for t in tensors if t.dtype in FLOATS]


def _none(taken: Sequence[Declared], ends: Sequence[Declared], variant: int) -> list[Form] | None:
    return []


def _gradients(taken: Sequence[Declared], ends: Sequence[Declared], variant: int) -> list[Form] | None:
    return _floats(taken) if _floats(taken) and _floats(ends) else None


def _inside(taken: Sequence[Declared], ends: Sequence[Declared], variant: int) -> list[Form] | None:
    found = _gradients(taken, ends, variant)
    return found if found is None or variant & INSIDE else []


def _twice(taken: Sequence[Declared], ends: Sequence[Declared], variant: int) -> list[Form] | None:
    found = _gradients(taken, ends, variant)
    return found and [*found, *found]


def _tangents(taken: Sequence[Declared], ends: Sequence[Declared], variant: int) -> list[Form] | None:
    return _floats(ends) if _floats(taken) and _floats(ends) else None


def _jacobian(reverse: bool) -> Further:
    def further(taken: Sequence[Declared], ends: Sequence[Declared], variant: int) -> list[Form] | None:
        if not _floats(taken) or not _floats(ends):
            return None
        (of, dtype), (end, other) = _floats(taken)[0], _floats(ends)[0]
        shape = end + of + (of if variant & INSIDE else ())
        return [(shape, dtype if reverse else other)] if 0 < math.prod(shape) <= JACOBIAN else None

    return further


def _hessian(taken: Sequence[Declared], ends: Sequence[Declared], variant: int) -> list[Form] | None:
    if not _floats(taken) or not _floats(ends):
        return None
    of, dtype = _floats(taken)[0]
    return [(of + of, dtype)] if 0 < math.prod(of + of) <= HESSIAN else None


def _batched(taken: Sequence[Declared], ends: Sequence[Declared], variant: int) -> list[Form] | None:
    return [((*t.shape, 2) if variant & 1 else (2, *t.shape), t.dtype) for t in ends] if taken else None


def _stacked(taken: Sequence[Declared], ends: Sequence[Declared], variant: int) -> list[Form] | None:
    return [((2, *t.shape), t.dtype) for t in ends] if taken else None


def _cast(taken: Sequence[Declared], ends: Sequence[Declared], variant: int) -> list[Form] | None:
    return [(t.shape, "") for t in ends if t.dtype in FLOATS] or None if _floats(taken) else None


@dataclass(frozen=True)
class Kind:
    """One kind."""

    api: str
    """For titles."""
    function: str
    """Its function in regions/transforms.py."""
    further: Further
    made: bool = False
    """Whether the calls are an autograd.Function."""


DERIVES = ("func.grad", "func.vjp", "func.jvp", "func.jacrev", "func.jacfwd", "func.hessian", "autograd.grad")
CONTROL = "ops."
"""The prefix of control flow. Eager mode supports none within DERIVES either."""
KINDS = {
    "func.grad": Kind("torch.func.grad", "region_grad", _gradients),
    "func.vjp": Kind("torch.func.vjp", "region_vjp", _gradients),
    "func.jvp": Kind("torch.func.jvp", "region_jvp", _tangents),
    "func.jacrev": Kind("torch.func.jacrev", "region_jacrev", _jacobian(reverse=True)),
    "func.jacfwd": Kind("torch.func.jacfwd", "region_jacfwd", _jacobian(reverse=False)),
    "func.hessian": Kind("torch.func.hessian", "region_hessian", _hessian),
    "func.vmap": Kind("torch.func.vmap", "region_vmap", _batched),
    "func.functional_call": Kind("torch.func.functional_call", "region_functional_call", _none),
    "autograd.grad": Kind("torch.autograd.grad", "region_twice", _twice),
    "autograd.Function": Kind("torch.autograd.Function", "region_custom", _inside, made=True),
    "checkpoint": Kind("torch.utils.checkpoint.checkpoint", "region_checkpoint", _inside),
    "autocast": Kind("torch.autocast", "region_autocast", _cast),
    "no_grad": Kind("torch.no_grad", "region_no_grad", _none),
    "inference_mode": Kind("torch.inference_mode", "region_inference_mode", _none),
    "ops.cond": Kind("torch.cond", "region_cond", _none),
    "ops.while_loop": Kind("torch.while_loop", "region_while_loop", _none),
    "ops.scan": Kind("torch.scan", "region_scan", _stacked),
    "ops.map": Kind("torch.map", "region_map", _stacked),
}
"""By their names in models."""
