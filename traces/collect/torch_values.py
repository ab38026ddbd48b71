"""PyTorch's calls with elements of a class, and what is seen of their outputs."""

from __future__ import annotations

from collections.abc import Sequence

import torch

from traces.collect import classes, torch_oracle
from traces.collect.classes import Seen
from traces.collect.symbolise import Values


class Pools(torch_oracle.Pools):
    """Tensors filled by tokens."""

    def tensor(self, dims: Sequence[int], dtype: torch.dtype, fill: str, place: int) -> torch.Tensor:
        """As the base's."""
        token = classes.tokens(fill)[place - 1]
        if token == classes.OWN:
            return super().tensor(dims, dtype, "normal", place)
        drawn = classes.elements(dims, str(dtype)[len("torch.") :], token, place)
        return torch.tensor(drawn).to(dtype)


def _seen(tensor: torch.Tensor) -> Seen:
    plain = tensor.detach()
    if plain.dtype.is_complex:
        plain = torch.view_as_real(plain.resolve_conj().resolve_neg())
    if plain.dtype.is_floating_point:
        plain = plain.to(torch.float64)
    return classes.observe(plain.numpy(), tensor.shape, str(tensor.dtype)[len("torch.") :])


class Looking(torch_oracle.TorchOracle):
    """The oracle, whose `run` tells what it saw."""

    def __init__(self) -> None:
        super().__init__()
        self._pools = Pools()

    def run(self, call: torch_oracle.TorchCall, values: Values, fill: str) -> tuple[Seen, ...]:  # type: ignore[override]
        """Runs a call filled by tokens."""
        return tuple(map(_seen, self._call(call, values, fill)))


def load() -> Looking:
    """The oracle."""
    return Looking()
