"""Runs the calls of a session and compares two runs. Its functions are copied into scripts."""

from __future__ import annotations

import contextlib
import io
import linecache
import sys
import types
from collections.abc import Callable, Sequence
from typing import Any

import torch

from rulefuzz.effects.torch import shared
from rulefuzz.frameworks.torch import fresh, other_strides

# ---- copied into scripts


def plain(value: Any, depth: int = 0) -> Any:
    """A Python value as it is compared: its type, then what is in it."""
    if isinstance(value, torch.Tensor):
        tensor = value.detach()
        items = tensor.to(torch.float64).tolist() if not tensor.is_complex() else []
        return "tensor", str(value.dtype), tuple(value.shape), ("requires_grad", value.requires_grad), items
    if value is None or isinstance(value, (bool, int, float, str, bytes)):
        return type(value).__name__, value if type(value).__module__ == "builtins" else str(value)
    if depth > 6:
        return (type(value).__name__,)
    if isinstance(value, dict):
        return type(value).__name__, [(plain(k, depth + 1), plain(v, depth + 1)) for k, v in value.items()]
    if isinstance(value, (set, frozenset)):
        return type(value).__name__, sorted(repr(plain(item)) for item in value)
    if hasattr(value, "__iter__") and hasattr(value, "__len__") and not isinstance(value, torch.nn.Module):
        return type(value).__name__, [plain(item, depth + 1) for item in value]
    known = vars(value) if hasattr(value, "__dict__") and not callable(value) else {}
    names = sorted(name for name in known if not name.startswith("__"))
    return type(value).__name__, [(name, plain(known[name], depth + 1)) for name in names]


def apart(one: Any, other: Any) -> str:
    """How two plain values differ, "" if they do not. Floats differ by more than rounding."""
    if isinstance(one, float) and isinstance(other, float):
        same = one == other or (one != one and other != other) or abs(one - other) <= 1e-3 * (1 + abs(other))
        return "" if same else f"{one} instead of {other}"
    if isinstance(one, (list, tuple)) and isinstance(other, (list, tuple)) and len(one) == len(other):
        return next(filter(None, map(apart, one, other)), "")
    if type(one) is type(other) and one == other:
        return ""
    return f"{str(one)[:80]} instead of {str(other)[:80]}"


def tensors_in(value: Any) -> list[Any]:
    """The tensors in a value, in order."""
    if isinstance(value, torch.Tensor):
        return [value]
    items = value.values() if isinstance(value, dict) else value if isinstance(value, (list, tuple)) else ()
    return [tensor for item in items for tensor in tensors_in(item)]


def started(text: str, constants: dict[str, Any]) -> dict[str, Any]:
    """The names of a program that was run from its text."""
    name = "<program>"
    linecache.cache[name] = (len(text), None, text.splitlines(True), name)
    module = sys.modules["program"] = types.ModuleType("program")
    space = vars(module)
    space.update(constants)
    exec(compile(text, name, "exec"), space)
    return space


def played(space: dict[str, Any], function: Callable[..., Any], inputs: Sequence[Sequence[Any]]) -> list[dict[str, Any]]:
    """What each call of a program did, with these inputs of the model: `base`, the results of the model's calls; `taken`, its
    inputs afterwards; `told`, everything else by name; or `raised`, the exception."""
    found = []
    for k, (given, before, call) in enumerate(space["CALLS"]):
        out, own = io.StringIO(), fresh(inputs[k])
        one: dict[str, Any] = {"base": [], "taken": [], "told": {}, "raised": None}
        arguments: Any = ()
        try:
            if before:
                before()
            arguments = given(*own)
            with contextlib.redirect_stdout(out):
                base, extras = call(function, arguments)
            one["base"] = [copied_result(x) for x in base]
            one["told"]["gradients asked for"] = plain([getattr(x, "requires_grad", None) for x in base])
            for i, extra in enumerate(extras):
                one["told"][f"result {i}"] = plain(extra)
            one["results"] = [x.detach().as_strided(x.shape, x.stride()) for x in tensors_in(extras)]
            one["told"]["memory"] = [place[:2] for place in shared(tensors_in(extras), tensors_in(arguments[-3:-1]))]
            one["told"]["gradient"] = plain(gradient(tensors_in(extras), arguments[-3]))
        except Exception as error:
            one["raised"] = error
        one["taken"] = [copied_result(x) for x in arguments[:-3]]
        one["told"]["arguments"] = plain(list(arguments[-3:-1]))
        one["told"]["printed"] = out.getvalue()
        one["told"] |= {name: plain(value) for name, value in space["state"]().items()}
        found.append(one)
    return found


def copied_result(x: Any) -> Any:
    """A copy with the same layout that later calls cannot change."""
    return fresh([x.detach()])[0] if isinstance(x, torch.Tensor) else x


def gradient(results: Sequence[Any], leaf: Any) -> Any:
    """The gradient of the sum of all float results; None without one."""
    ends = [x for x in results if x.requires_grad and x.is_floating_point()]
    if not ends or not leaf.requires_grad or not leaf.is_leaf:
        return None
    with torch.enable_grad():
        return torch.autograd.grad([x.double().sum() for x in ends], leaf, allow_unused=True)[0]


def other_told(got: dict[str, Any], want: dict[str, Any]) -> tuple[str, str]:
    """The first thing that one call told otherwise: its name, and how; ("", "") if there is none."""
    one, other = (type(run["raised"]).__name__ if run["raised"] else "" for run in (got, want))
    if one != other:
        return "exception", f"{one or 'no exception'} instead of {other or 'no exception'}"
    for name, what in want["told"].items():
        how = apart(got["told"].get(name), what)
        if how:
            return name, how
    for x, y in zip(got.get("results", ()), want.get("results", ()), strict=False):
        how = other_strides(x, y)
        if how:
            return "memory", how
    return "", ""
