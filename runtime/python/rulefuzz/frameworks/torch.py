"""Runs models in torch eager: see eager.py."""

from __future__ import annotations

import functools
import sys
import warnings
from collections.abc import Sequence
from typing import Any

import eager
import numpy as np
import torch
import torch.fx.experimental.symbolic_shapes  # some calls import it, which takes each child seconds
import torch_model


@functools.lru_cache(1 << 14)
def _constant(text: str) -> Any:
    return torch_model.constant(text).value


_resolve = functools.lru_cache(1 << 14)(torch_model.resolve)


def _dtype(name: str) -> torch.dtype:
    dtype = getattr(torch, name)
    assert isinstance(dtype, torch.dtype)
    return dtype


class TorchEager:
    """See eager.Framework."""

    name = "torch"

    def __init__(self) -> None:
        warnings.simplefilter("ignore")
        torch.set_num_threads(1)
        torch.set_grad_enabled(False)
        self._builder = eager.Builder(
            _constant, lambda items, dtype: torch.tensor(items, dtype=_dtype(dtype)), torch_model.plain
        )
        self._names = {value: name for name, value in vars(torch).items() if isinstance(value, torch.dtype)}
        self._names.update({_dtype(name): name for name in ("float16", "float32", "float64", "int16", "int32", "int64",
                                                            "complex32", "complex64", "complex128", "uint8")})  # fmt: skip

    def enter(self) -> None:
        """See eager.Framework."""
        torch.manual_seed(0)

    def tensor(self, array: np.ndarray, dtype: str) -> torch.Tensor:
        """See eager.Framework."""
        return torch.from_numpy(array).to(_dtype(dtype))

    def span(self, nodes: Sequence[Any], start: int, dtypes: dict[int, str]) -> int:
        """See eager.Framework."""
        return 1

    def run(self, nodes: Sequence[Any], values: eager.Values) -> list[list[torch.Tensor]]:
        """See eager.Framework."""
        (node,) = nodes
        positional, named = [], {}
        for arg in node["args"]:
            value = self._builder.build(arg["value"], values)
            if arg["pos"]:
                positional.append(value)
            else:
                named[arg["name"]] = value
        return [torch_model.leaves(_resolve(node["api"])(*positional, **named))]

    def describe(self, tensor: torch.Tensor) -> tuple[tuple[int, ...], str]:
        """See eager.Framework."""
        return tuple(tensor.shape), self._names[tensor.dtype]

    def finite(self, tensor: torch.Tensor) -> bool:
        """See eager.Framework."""
        if not (tensor.is_floating_point() or tensor.is_complex()) or tensor.layout != torch.strided:
            return True
        return bool(torch.isfinite(tensor).all())

    def extent(self, tensor: torch.Tensor) -> tuple[bool, Any, Any]:
        """See eager.Framework."""
        if tensor.layout != torch.strided:
            return True, None, None
        plain = torch.view_as_real(tensor.resolve_conj()) if tensor.is_complex() else tensor
        plain = plain.to(torch.float64)
        usable = plain[plain.isfinite()]
        if not usable.numel():
            return bool(plain.isfinite().all()), None, None
        return usable.numel() == plain.numel(), float(usable.min()), float(usable.max())

    def plain(self, tensor: Any) -> Any:
        """See eager.Framework."""
        return torch_model.plain(tensor)

    def notes(self) -> dict[str, int]:
        """See eager.Framework."""
        return {}


if __name__ == "__main__":
    sys.exit(eager.main(TorchEager()))
