"""The outermost torch calls of a module's run, with data flow.

A tensor gets a new name whenever a call makes or changes it, so that calls in place are calls like others. A tensor that no
recorded call made is an input, and a constant if it is a parameter or a buffer.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import torch
from torch.overrides import TorchFunctionMode, resolve_name

from traces.collect.call.spec import Json
from traces.collect.frameworks.torch.calls import SKIPPED, lookup
from traces.collect.frameworks.torch.names import OPAQUE, named
from traces.collect.zoo.eager.taped import Call, Tape, Tensor
from traces.collect.zoo.modules.architectures import Made


class Unwritten(Exception):
    """A value that no model can have, such as a slice."""


def tensors_in(value: Any) -> Iterator[Any]:
    """The tensors of an argument or a result, in order."""
    if isinstance(value, torch.Tensor):
        yield value
    elif isinstance(value, dict):
        yield from tensors_in(list(value.values()))
    elif isinstance(value, (list, tuple)):
        for item in value:
            yield from tensors_in(item)


def name_of(function: Any) -> str:
    """A function's API; "" if torch does not know it."""
    return (resolve_name(function) or "").replace("torch.functional.", "torch.")


def _described(tensor: Any, constant: bool) -> Tensor:
    held = tensor.detach()
    extent = (0.0, 0.0)
    if held.numel() and not held.is_complex() and held.layout == torch.strided:
        extent = (float(held.min()), float(held.max()))
    return Tensor(tuple(held.shape), str(held.dtype).removeprefix("torch."), *extent, constant)


class Recorder(TorchFunctionMode):  # type: ignore[misc]
    """Records the outermost calls that return tensors."""

    def __init__(self, module: Any) -> None:
        super().__init__()
        self.tape = Tape()
        self._kept = [*module.parameters(), *module.buffers()]
        """All tensors seen, so that no two have one id."""
        self._weights = {id(tensor) for tensor in self._kept}
        self._names: dict[int, str] = {}

    def _name(self, tensor: Any, made: bool = False) -> str:
        if made or id(tensor) not in self._names:
            self._names[id(tensor)] = name = f"t{len(self.tape.tensors)}"
            self.tape.tensors[name] = _described(tensor, not made and id(tensor) in self._weights)
            self._kept.append(tensor)
        return self._names[id(tensor)]

    def _value(self, value: Any) -> Json:
        if isinstance(value, torch.Tensor):
            return {"ref": self._name(value)}
        if isinstance(value, (list, tuple)):
            return [self._value(item) for item in value]
        if isinstance(value, OPAQUE):
            return {"const": repr(str(value)) if isinstance(value, torch.device) else str(value)}
        if value is None or isinstance(value, (bool, int, float, str)):
            return {"const": repr(value)}
        raise Unwritten

    def _begun(self, function: Any, args: Any, kwargs: Any) -> Call:
        """The call before it runs; without arguments if no model can have it."""
        api = name_of(function)
        made = Call(api, input=[self._name(tensor) for tensor in tensors_in([args, kwargs])])
        if not api.startswith("torch.") or lookup(api) is None or any(pattern.search(api) for pattern, _ in SKIPPED):
            return made
        try:
            made.args = [{"name": n, "pos": p, "value": self._value(v)} for n, p, v in named(api, function, args, kwargs)]
        except Unwritten:
            made.args = []
        return made

    def __torch_function__(self, function: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        """One call."""
        kwargs = kwargs or {}
        with torch._C.DisableTorchFunction():
            before = [(tensor, tensor._version) for tensor in tensors_in([args, kwargs])]
            call = self._begun(function, args, kwargs)
        result = function(*args, **kwargs)
        with torch._C.DisableTorchFunction():
            changed = {id(tensor) for tensor, version in before if tensor._version != version}
            for tensor, name in zip((tensor for tensor, _ in before), call.input, strict=True):
                if id(tensor) in changed:
                    self._names.pop(id(tensor), None)
                    mark_written(call.args, name)
            call.output = [self._name(tensor, made=True) for tensor in tensors_in(result)]
            if call.args and call.output:
                self.tape.calls.append(call)
        return result


def mark_written(value: Json, name: str) -> None:
    """A model passes a copy of a tensor that a call writes to."""
    if isinstance(value, list):
        for item in value:
            mark_written(item, name)
    elif isinstance(value, dict):
        if value.get("ref") == name:
            value["copy"] = True
        mark_written(value.get("value"), name)


def record(made: Made) -> Tape:
    """The calls of a module on its inputs."""
    module, inputs = made
    recorder = Recorder(module.eval())
    with torch.no_grad(), recorder:
        module(*inputs)
    return recorder.tape
