"""Faults of functionalization, planted in eager mode for tests. Only models whose calls write to memory show them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import torch
import torch.overrides

FAULTS = (
    "view-write-lost", "base-write-lost", "gap-zeroed", "self-copied", "view-copied", "write-twice", "writes-swapped",
    "read-early", "input-not-written", "output-copied",
)  # fmt: skip


def _tensors(value: Any) -> Iterator[Any]:
    if isinstance(value, torch.Tensor):
        yield value
    elif isinstance(value, (list, tuple)):
        for item in value:
            yield from _tensors(item)


def _storage(tensor: Any) -> int:
    return int(tensor.untyped_storage()._cdata)


def _whole(tensor: Any) -> Any:
    """All elements of its memory."""
    return tensor.as_strided((tensor.untyped_storage().nbytes() // tensor.element_size(),), (1,), 0)


class Memory(torch.overrides.TorchFunctionMode):  # type: ignore[misc]
    """Calls with faulty effects on memory."""

    def __init__(self, fault: str, inputs: Sequence[Any]) -> None:
        super().__init__()
        self._fault = fault
        self._first = {_storage(x): x for x in reversed(inputs)}
        """The first tensor with each storage."""
        self._old: dict[int, Any] = {}
        """Tensors that were written to, as they were before."""
        self._late: list[Callable[[], Any]] = []
        self._kept: list[Any] = []
        self._again = False

    def __torch_function__(self, called: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        """See torch."""
        kwargs = kwargs or {}
        taken = [x for x in _tensors([*args, *kwargs.values()]) if x.layout == torch.strided]
        live = {_storage(x) for x in taken} & self._first.keys()
        for x in taken:
            self._first.setdefault(_storage(x), x)
        self._kept += taken  # so that no address is reused
        before = [(x, x._version, x.clone(), _whole(x).clone()) for x in taken]
        name = getattr(called, "__name__", "")
        writes = bool(live) and ((name.endswith("_") and not name.endswith("__")) or name.startswith("__i"))
        if self._fault == "writes-swapped" and writes and not self._late:
            self._late.append(lambda: called(*args, **kwargs))
            self._kept.append(args)
            return args[0]
        if not writes:
            self.flush()
        if self._fault == "read-early" and not writes:
            args = [self._old.get(id(x), x) if isinstance(x, torch.Tensor) else x for x in args]
        result = called(*args, **kwargs)
        self.flush()
        for x, version, old, whole in before:
            if x._version != version and _storage(x) in live:
                self._written(x, old, whole, lambda: called(*args, **kwargs))
        return self._returned(result, taken, writes)

    def flush(self) -> None:
        """Runs the postponed writes."""
        while self._late:
            self._late.pop()()

    def _written(self, x: Any, old: Any, whole: Any, again: Callable[[], Any]) -> None:
        self._old[id(x)] = old
        view = self._first[_storage(x)] is not x and x.shape != self._first[_storage(x)].shape
        if self._fault == ("view-write-lost" if view else "base-write-lost"):
            _whole(x).copy_(whole)
        elif self._fault == "gap-zeroed" and view:
            kept = x.clone()
            _whole(x).zero_()
            x.copy_(kept)
        elif self._fault == "write-twice" and not self._again:
            self._again = True
            again()
            self._again = False

    def _returned(self, result: Any, taken: Sequence[Any], writes: bool) -> Any:
        if writes or not isinstance(result, torch.Tensor):
            return result
        own = any(result is x for x in taken)
        shares = any(_storage(result) == _storage(x) for x in taken)
        copied = (self._fault == "self-copied" and own) or (self._fault == "view-copied" and shares and not own)
        return result.clone() if copied else result


def planted(function: Any, example: Sequence[Any], fault: str) -> Callable[..., Sequence[Any]]:
    """The function, with the fault."""

    def call(*inputs: Any) -> Any:
        taken = [x.clone() for x in inputs] if fault == "input-not-written" else inputs
        with Memory(fault, taken) as memory:
            results = function(*taken)
        memory.flush()
        return [x.clone() for x in results] if fault == "output-copied" else results

    return call
