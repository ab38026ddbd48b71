"""Faults of compilers that keep state between calls, planted in eager mode for tests. Only sessions show them.

- stale-KIND: a guard is missing, and later calls see what the first one saw.
- lost-KIND: a side effect is dropped, and after a call the state is as before.
"""

from __future__ import annotations

import contextlib
import sys
import types
from collections.abc import Callable, Iterator
from typing import Any

import torch

FAULTS = (
    "stale-attribute", "stale-buffer", "stale-class-attribute", "stale-closure", "stale-code", "stale-default",
    "stale-default-dtype", "stale-dtype", "stale-element", "stale-global", "stale-grad-mode", "stale-number", "stale-size",
    "stale-submodule", "stale-training", "stale-autocast", "stale-strides", "stale-identity",
    "lost-attribute", "lost-buffer", "lost-class-attribute", "lost-closure", "lost-element", "lost-global", "lost-input-write",
    "lost-print", "lost-alias", "lost-gradient", "twice", "exception-swallowed",
)  # fmt: skip
PLAIN = (int, float, str, bool, type(None))
Slot = tuple[Callable[[], Any], Callable[[Any], None]]
"""Reads and sets a part of a program's state."""


def _objects(space: dict[str, Any]) -> Iterator[Any]:
    """The objects of the program's classes, and its modules."""
    found, todo = set[int](), [value for name, value in space.items() if not name.startswith("__")]
    while todo:
        value = todo.pop()
        if id(value) in found or isinstance(value, (type, types.FunctionType, torch.Tensor)):
            continue
        found.add(id(value))
        own = type(value).__module__ == "program" or isinstance(value, (torch.nn.Module, types.SimpleNamespace))
        if own or (isinstance(value, types.ModuleType) and value.__name__.startswith("config")):
            yield value
            todo += list(getattr(value, "__dict__", {}).values())
            todo += list(value.modules()) if isinstance(value, torch.nn.Module) else []


def _entry(table: Any, key: Any) -> Slot:
    def put(value: Any) -> None:
        table[key] = value

    return lambda: table[key], put


def _whole(container: Any) -> Slot:
    """All items of a list, dictionary or set."""

    def put(items: Any) -> None:
        container.clear()
        (container.update if isinstance(container, (dict, set)) else container.extend)(items)

    return lambda: type(container)(container), put


def _attribute(owner: Any, name: str) -> Slot:
    return lambda: getattr(owner, name), lambda value: setattr(owner, name, value)


def _functions(space: dict[str, Any]) -> Iterator[Any]:
    for name, value in list(space.items()):
        if (
            isinstance(value, types.FunctionType)
            and value.__module__ == "program"
            and not name.startswith(("given_", "before_"))
        ):
            yield value


def slots(space: dict[str, Any], kind: str) -> Iterator[Slot]:
    """The parts of the state of this kind."""
    names = [name for name in space if not name.startswith("__") and name != "CALLS"]
    classes = [value for value in map(space.get, names) if isinstance(value, type) and value.__module__ == "program"]
    if kind == "global":
        yield from (_entry(space, name) for name in names if isinstance(space[name], PLAIN) and name not in ("__name__",))
    elif kind == "element":
        yield from (_whole(space[name]) for name in names if type(space[name]) in (list, dict, set))
    elif kind == "class-attribute":
        yield from (_attribute(c, name) for c in classes for name, value in list(vars(c).items())
                    if isinstance(value, PLAIN) and not name.startswith("__"))  # fmt: skip
    elif kind == "closure":
        cells = [cell for function in _functions(space) for cell in function.__closure__ or ()]
        yield from (_attribute(cell, "cell_contents") for cell in cells if isinstance(cell.cell_contents, PLAIN))
    elif kind == "code":
        yield from (_attribute(f, "__code__") for f in _functions(space) if f.__name__ != "model" and not f.__closure__)
    elif kind == "default":
        for function in _functions(space):
            yield from (_attribute(function, name) for name in ("__defaults__", "__kwdefaults__"))
    else:
        for one in _objects(space):
            yield from _of_object(one, kind)


def _of_object(one: Any, kind: str) -> Iterator[Slot]:
    known, is_module = getattr(one, "__dict__", {}), isinstance(one, torch.nn.Module)
    if kind == "attribute":
        yield from (_entry(known, name) for name, value in list(known.items())
                    if isinstance(value, PLAIN) and not name.startswith("__") and name != "training")  # fmt: skip
    elif kind == "training" and is_module:
        yield _entry(known, "training")
    elif kind == "submodule" and is_module:
        yield _whole(one._modules)
    elif kind == "buffer" and is_module:
        yield from (_data(x) for x in [*one.buffers(recurse=False), *one.parameters(recurse=False)])


def _data(tensor: Any) -> Slot:
    return lambda: tensor.detach().clone(), lambda value: setattr(tensor, "data", value)


class Stale:
    """Calls with the state that the first call saw."""

    def __init__(self, function: Any, kind: str) -> None:
        self._function, self._kind, self._first = function, kind, dict[int, Any]()
        self._mode: Any = None

    def __call__(self, *given: Any) -> Any:
        """Runs the program."""
        space, now = self._function.__globals__, []
        for i, (get, put) in enumerate(slots(space, self._kind)):
            value = get()
            if i in self._first:
                now.append((put, value, self._first[i], get))
                put(self._first[i])
            else:
                self._first[i] = value
        try:
            with self._modes():
                return self._function(*given)
        finally:
            for put, value, was, get in now:
                if type(get()) is type(was) and _same(get(), was):
                    put(value)

    def _modes(self) -> Any:
        now = {"default-dtype": torch.get_default_dtype(), "grad-mode": torch.is_grad_enabled(),
               "autocast": torch.is_autocast_enabled("cpu")}.get(self._kind)  # fmt: skip
        self._mode = now if self._mode is None else self._mode
        if self._kind == "grad-mode":
            return torch.set_grad_enabled(self._mode)
        if self._kind == "autocast":
            return torch.autocast("cpu", torch.bfloat16, enabled=self._mode)
        return _default_dtype(self._mode) if self._kind == "default-dtype" else contextlib.nullcontext()


def _same(one: Any, other: Any) -> bool:
    try:
        return bool(one == other)
    except (RuntimeError, ValueError):
        return False


@contextlib.contextmanager
def _default_dtype(dtype: Any) -> Iterator[None]:
    before = torch.get_default_dtype()
    torch.set_default_dtype(dtype)
    try:
        yield
    finally:
        torch.set_default_dtype(before)


class Lost:
    """Calls whose effects on the state are dropped."""

    def __init__(self, function: Any, kind: str) -> None:
        self._function, self._kind = function, kind

    def __call__(self, *given: Any) -> Any:
        """Runs the program."""
        before = [(put, get()) for get, put in slots(self._function.__globals__, self._kind)]
        try:
            return self._function(*given)
        finally:
            for put, value in before:
                put(value)


class Arguments:
    """Calls whose arguments differ from the assumptions of the compiled code."""

    def __init__(self, function: Any, fault: str) -> None:
        self._function, self._fault, self._first = function, fault, tuple[Any, ...]()

    def __call__(self, *given: Any) -> Any:
        """Runs the program."""
        *rest, s, t, n = given
        self._first = self._first or (s.dtype, s.shape, s is t, n)
        dtype, shape, same, number = self._first
        if self._fault == "stale-number":
            n = number
        elif self._fault == "stale-dtype":
            s = s.to(dtype)
        elif self._fault == "stale-size" and s.numel() and s.shape != shape:
            s = s.reshape(-1).repeat(1 + shape.numel() // s.numel())[: shape.numel()].reshape(shape)
        elif self._fault == "stale-strides":
            s = s.contiguous()
        elif self._fault == "stale-identity" and s is t and not same:
            t = t.clone()
        elif self._fault == "lost-input-write":
            s = s.clone()
        elif self._fault == "lost-gradient":
            s = s.detach()
        base, extras = self._function(*rest, s, t, n)
        return (base, _unshared(extras)) if self._fault == "lost-alias" else (base, extras)


def _unshared(value: Any) -> Any:
    if isinstance(value, torch.Tensor):
        return value.clone()
    return [_unshared(item) for item in value] if type(value) is list else value


def _other(function: Any, fault: str, given: Any) -> Any:
    if fault == "lost-print":
        out, sys.stdout = sys.stdout, open("/dev/null", "w", encoding="ascii")  # noqa: SIM115
        try:
            return function(*given)
        finally:
            sys.stdout.close()
            sys.stdout = out
    if fault == "twice":
        function(*given)
    try:
        return function(*given)
    except Exception:
        if fault != "exception-swallowed":
            raise
        return (), []


def planted(function: Any, fault: str) -> Callable[..., Any]:
    """The program's function, with the fault."""
    how, _, kind = fault.partition("-")
    if fault not in FAULTS:
        return function  # type: ignore[no-any-return]
    if fault in ("stale-number", "stale-dtype", "stale-size", "stale-strides", "stale-identity", "lost-input-write",
                 "lost-gradient", "lost-alias"):  # fmt: skip
        return Arguments(function, fault)
    if fault in ("lost-print", "twice", "exception-swallowed"):
        return lambda *given: _other(function, fault, given)
    return Stale(function, kind) if how == "stale" else Lost(function, kind)
