"""Checks that a compiler drops, planted in eager mode for tests: a call rejected with such a message returns zeros."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

import torch
import torch.overrides

CHECKS = {
    "broadcast": r"size of tensor a .* must match the size of tensor b",
    "expand": r"expanded size of the tensor|must match the existing size",
    "product": r"shapes cannot be multiplied|size mismatch, got|first two dimensions of batch2|dimension must match on both",
    "channels": r"to have \d+ channels, but got|number of channels in input",
    "kernel-large": r"Kernel size can't be greater|smaller than kernel size|Output size is too small|too large relative",
    "kernel-zero": r"kernel size should be greater|non-empty .* tensor expected for weight",
    "stride-zero": r"stride should (be greater|not be zero)|step is .* must be > 0",
    "dilation-zero": r"dilation should be greater",
    "pad-half": r"pad should be at most half|[Pp]adding size should be less",
    "reshape": r"is invalid for input of size|don't multiply up",
    "split": r"split_with_sizes expects|chunk expects",
    "negative-size": r"negative dimension|invalid shape dimension|must be non-negative",
    "square": r"must be batches of square",
    "divisible": r"divisible by",
    "weight-shape": r"same shape as normalized_shape|vector of size equal to|Given normalized_shape",
    "batch": r"same (number of batches|batch size)|to match target batch_size",
    "slice-size": r"src to have a size equal to the slice",
    "top-k": r"selected index k out of range",
    "groups": r"non-positive groups",
    "padding-negative": r"negative (output_)?padding",
}
"""The dropped checks, and eager's messages for them."""


class Unchecked(torch.overrides.TorchFunctionMode):  # type: ignore[misc]
    """Calls that a check would reject return zeros."""

    def __init__(self, check: str, results: int = 1) -> None:
        super().__init__()
        self._words, self._results = re.compile(CHECKS[check]), results

    def __torch_function__(self, called: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        """See torch."""
        try:
            return called(*args, **(kwargs or {}))
        except Exception as error:
            if not self._words.search(str(error)):
                raise
        return torch.zeros(self._results)


def planted(function: Any, example: Sequence[Any], fault: str) -> Callable[..., Sequence[Any]]:
    """The function, without the check."""

    def call(*inputs: Any) -> Any:
        for results in range(1, 9):
            try:
                with Unchecked(fault, results):
                    return function(*inputs)
            except ValueError as error:
                if "values to unpack" not in str(error):
                    raise
        raise RuntimeError("a call of many results")

    return call
