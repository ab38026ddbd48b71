"""Memory of torch tensors."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import torch
from torch.utils._python_dispatch import TorchDispatchMode

# ---- copied into scripts


def shared(results: Sequence[Any], inputs: Sequence[Any]) -> list[Any]:
    """For each result and input: the first of them with the same memory, and where it begins relative to that."""
    found, tensors = [], [*inputs, *results]
    for at, x in enumerate(tensors):
        dense = isinstance(x, torch.Tensor) and x.layout == torch.strided and x.numel() > 0
        same = [y for y in tensors[:at] if dense and isinstance(y, torch.Tensor) and y.layout == torch.strided and y.numel() > 0
                and y.untyped_storage().data_ptr() == x.untyped_storage().data_ptr()]  # fmt: skip
        first = next(i for i, y in enumerate(tensors) if y is same[0]) if same else at
        found.append((first, x.data_ptr() - same[0].data_ptr(), tuple(x.stride())) if same else (first, 0, ()))
    return found[len(inputs) :] + found[: len(inputs)]


# ---- the oracle's


def _bytes(tensor: Any) -> Any:
    """The addresses of all bytes, relative to the storage."""
    last = sum((size - 1) * stride for size, stride in zip(tensor.shape, tensor.stride(), strict=True))
    places = torch.arange(last + 1).as_strided(tensor.shape, tensor.stride()).reshape(-1) + tensor.storage_offset()
    return (places * tensor.element_size()).reshape(-1, 1) + torch.arange(tensor.element_size())


def overlaps(tensor: Any) -> bool:
    """Whether two elements have one address."""
    if tensor.layout != torch.strided or not tensor.numel() or tensor.is_contiguous():
        return False
    places = _bytes(tensor)
    return int(places.unique().numel()) < int(places.numel())


def meets(one: Any, other: Any) -> str:
    """How the memory of two tensors overlaps: "", "same" elements, or "partly"."""
    if one.layout != torch.strided or other.layout != torch.strided or not one.numel() or not other.numel():
        return ""
    if one.untyped_storage().data_ptr() != other.untyped_storage().data_ptr():
        return ""
    forms = [(x.dtype, x.shape, x.stride(), x.storage_offset()) for x in (one, other)]
    if forms[0] == forms[1]:
        return "same"
    return "partly" if bool(torch.isin(_bytes(one).reshape(-1), _bytes(other).reshape(-1)).any()) else ""


def storage(tensor: Any) -> int:
    """The identity of its memory."""
    return int(tensor.untyped_storage()._cdata)


def tensors(value: Any) -> Iterator[Any]:
    """The tensors in a result."""
    if isinstance(value, torch.Tensor):
        yield value
    elif isinstance(value, (list, tuple)):
        for item in value:
            yield from tensors(item)


class Declared(TorchDispatchMode):  # type: ignore[misc]
    """Finds operators whose results share these storages although their schemas do not declare it."""

    def __init__(self, storages: set[int]) -> None:
        super().__init__()
        self._storages = storages
        self.broken = False

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        """See TorchDispatchMode."""
        result = func(*args, **(kwargs or {}))
        made = list(result) if isinstance(result, (tuple, list)) else [result]
        declared = [item.alias_info is not None for item in func._schema.returns]
        declared = declared * len(made) if len(declared) == 1 else declared
        for item, known in zip(made, declared, strict=False):
            self.broken |= not known and any(storage(t) in self._storages for t in tensors(item))
        return result
