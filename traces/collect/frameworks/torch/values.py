"""PyTorch's calls with elements of a class, and observations of their outputs."""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence

import torch

from traces.collect.call.spec import Values
from traces.collect.frameworks.torch import adapter as torch_adapter
from traces.collect.values import classes
from traces.collect.values.classes import Seen


class Pools(torch_adapter.Pools):
    """Tensors filled by tokens."""

    def tensor(self, dims: Sequence[int], dtype: torch.dtype, fill: str, place: int) -> torch.Tensor:
        """See the base class."""
        token = classes.tokens(fill)[place - 1]
        if token == classes.OWN:
            return super().tensor(dims, dtype, "normal", place)
        where = classes.piece(math.prod(dims), place)
        if where is None:
            return torch.tensor(classes.elements(dims, _name(dtype), token, place)).to(dtype)
        return self.whole(dtype, token)[slice(*where)].view(tuple(dims)).clone()

    @staticmethod
    @functools.lru_cache(1024)
    def whole(dtype: torch.dtype, token: str) -> torch.Tensor:
        """The pool, in torch's dtype."""
        return torch.tensor(classes.pool(_name(dtype), int(token[0]), token[1:])).to(dtype)


def _name(dtype: torch.dtype) -> str:
    return str(dtype)[len("torch.") :]


def _seen(tensor: torch.Tensor) -> Seen:
    plain = tensor.detach()
    if plain.dtype.is_complex:
        plain = torch.view_as_real(plain.resolve_conj().resolve_neg())
    if plain.dtype.is_floating_point:
        plain = plain.to(torch.float64)
    return classes.observe(plain.numpy(), tensor.shape, _name(tensor.dtype))


class Looking(torch_adapter.TorchAdapter):
    """The adapter, whose `run` returns observations."""

    def __init__(self) -> None:
        super().__init__()
        self._pools = Pools()
        classes.warm(lambda dtype, token: Pools.whole(getattr(torch, dtype), token))

    def run(self, call: torch_adapter.TorchCall, values: Values, fill: str) -> tuple[Seen, ...]:  # type: ignore[override]
        """Runs a call filled by tokens."""
        return tuple(map(_seen, self._call(call, values, fill)))


def load() -> Looking:
    """The adapter."""
    return Looking()
