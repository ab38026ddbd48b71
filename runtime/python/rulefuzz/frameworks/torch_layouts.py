"""Layouts of inputs, by torch alone, for repro scripts."""

from __future__ import annotations

import torch


def laid_out(stored: torch.Tensor, shape: tuple[int, ...], strides: tuple[int, ...], offset: int) -> torch.Tensor:
    """A view of a larger buffer with these elements, repeated along strides of 0. All other elements of the buffer are 77."""
    last = sum((size - 1) * stride for size, stride in zip(shape, strides, strict=True))
    places = offset + (last + 1 if stored.numel() else 0)
    buffer = torch.full((places,), 77.0, dtype=torch.float64).to(stored.dtype)
    buffer.as_strided(stored.shape, strides, offset).copy_(stored)
    return buffer.as_strided(shape, strides, offset)


def copied(tensor: torch.Tensor) -> torch.Tensor:
    """A copy with the tensor's layout, including the elements in its gaps."""
    if tensor.layout != torch.strided:
        return tensor.clone()
    storage = tensor.untyped_storage() if hasattr(tensor, "untyped_storage") else tensor.storage()  # torch < 2.0
    places = storage.nbytes() // tensor.element_size()
    whole = tensor.as_strided((places,), (1,), 0).clone()
    return whole.as_strided(tensor.shape, tensor.stride(), tensor.storage_offset())
