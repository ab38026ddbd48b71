"""Faults of transforms and control flow, planted in eager mode for tests. Only models with regions show them."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Sequence
from typing import Any
from unittest import mock

import torch
import torch.utils.checkpoint

from rulefuzz.regions import transforms

Change = Callable[[Callable[..., Any]], Callable[..., Any]]
"""Makes a faulty function of a correct one."""


def _each(change: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """The change, for each tensor in a tuple or list of results."""

    def changed(found: Any) -> Any:
        return type(found)(map(changed, found)) if isinstance(found, (tuple, list)) else change(found)

    return changed


def _jacobian(change: Callable[[Any], Any]) -> Change:
    """A transform of a function to another one, whose results change."""
    return lambda transform: lambda *how, **named: lambda *given: change(transform(*how, **named)(*given))


def _grad(transform: Callable[..., Any]) -> Callable[..., Any]:
    def transformed(*how: Any, **named: Any) -> Any:
        def called(*given: Any) -> Any:
            found, beside = transform(*how, **named)(*given)
            return tuple(x * 2 if x.dim() == 0 else x.flip(0) for x in found), beside

        return called

    return transformed


def _vjp(change: Callable[[Any], Any], before: Callable[[Any], Any] = lambda given: given) -> Change:
    def changed(vjp: Callable[..., Any]) -> Callable[..., Any]:
        def called(*given: Any, **named: Any) -> Any:
            found, pull, *beside = vjp(*given, **named)
            return found, lambda cotangents: _each(change)(pull(_each(before)(cotangents))), *beside

        return called

    return changed


def _jvp(jvp: Callable[..., Any]) -> Callable[..., Any]:
    def called(function: Any, floats: Any, tangents: Any, **named: Any) -> Any:
        first, *others = tangents
        return jvp(function, floats, (first, *map(torch.zeros_like, others)), **named)

    return called


def _vmap_first(vmap: Callable[..., Any]) -> Callable[..., Any]:
    def transformed(function: Any, dims: Any, out: Any) -> Any:
        def first(x: Any) -> Any:
            return x.select(out, 0).unsqueeze(out).expand_as(x).clone()

        return lambda *given: tuple(map(first, vmap(function, dims, out)(*given)))

    return transformed


def _ended(change: Callable[[list[Any], int], list[Any]]) -> Change:
    """A region's further results, of all results and the number of ends, change."""

    def changed(region: Callable[..., Any]) -> Callable[..., Any]:
        return lambda body, taken, ends, variant: change(region(body, taken, ends, variant), ends)

    return changed


def _last(change: Callable[[Any], Any]) -> Change:
    def changed(results: list[Any], ends: int) -> list[Any]:
        return results[: len(results) - ends] + [change(x) for x in results[len(results) - ends :]]

    return _ended(changed)


def _first(change: Callable[[Any], Any]) -> Change:
    return _ended(lambda results, ends: [change(x) for x in results[:ends]] + results[ends:])


def _custom(region: Callable[..., Any]) -> Callable[..., Any]:
    """The forward pass is differentiated: the backward pass is dropped."""

    def called(made: Any, taken: Any, ends: int, variant: int) -> Any:
        class Inlined:
            apply = staticmethod(made.forward)

        plain = Inlined if "setup_context" in vars(made) else made
        return region(plain, taken, ends, variant)

    return called


def _checkpoint(checkpoint: Callable[..., Any]) -> Callable[..., Any]:
    def called(function: Any, *given: Any, **named: Any) -> Any:
        calls: list[int] = []

        def other(*inner: Any) -> Any:
            calls.append(1)
            again = [x * 2 if len(calls) > 1 and x.is_floating_point() else x for x in inner]
            return function(*again)

        return checkpoint(other, *given, **named)

    return called


def _autocast(enabled: Callable[[bool], bool]) -> Change:
    return lambda autocast: lambda device, dtype, enabled=True, told=enabled: autocast(device, dtype, enabled=told(enabled))


def _double(grad: Callable[..., Any]) -> Callable[..., Any]:
    def called(*given: Any, **named: Any) -> Any:
        found = grad(*given, **named)
        return tuple(x if x is None else x.detach() for x in found) if named.get("create_graph") else found

    return called


FAULTS: dict[str, tuple[str, Change]] = {
    "func-grad-flipped": ("func.grad", _grad),
    "func-vjp-ones": ("func.vjp", _vjp(lambda x: x, torch.ones_like)),  # the cotangents are ignored
    "func-vjp-halved": ("func.vjp", _vjp(lambda x: x / 2)),
    "func-jvp-first": ("func.jvp", _jvp),  # tangents after the first are lost
    "func-jacrev-row": ("func.jacrev", _jacobian(_each(lambda x: x.reshape(-1).roll(1).reshape(x.shape)))),
    "func-jacfwd-zero": ("func.jacfwd", _jacobian(_each(torch.zeros_like))),
    "func-vmap-first": ("func.vmap", _vmap_first),  # the batch is dropped
    "func-vmap-out": ("func.vmap", lambda vmap: lambda function, dims, out: vmap(function, dims, 0)),
    "func-call-stale": ("func.functional_call", lambda call: lambda module, named, given: call(module, {}, given)),
    "double-detached": ("autograd.grad", _double),
    "custom-inlined": ("region_custom", _custom),
    "checkpoint-other": ("utils.checkpoint.checkpoint", _checkpoint),  # the second run sees other values
    "autocast-ignored": ("autocast", _autocast(lambda enabled: False)),
    "autocast-stays-on": ("autocast", _autocast(lambda enabled: True)),
    "cond-swapped": ("region_cond", _ended(lambda results, ends: [transforms.region_negated(x) for x in results])),
    "while-start": ("region_while_loop", _first(transforms.region_negated)),  # no trip runs
    "scan-reversed": ("region_scan", _last(lambda x: x.flip(0))),
    "scan-first": ("region_scan", _last(lambda x: x[:1].expand_as(x).clone())),
    "map-first": ("region_map", _last(lambda x: x[:1].expand_as(x).clone())),
    "no-grad-ignored": ("no_grad", lambda no_grad: torch.enable_grad),
}
"""The changes, in torch or among the transforms."""


@contextlib.contextmanager
def _changed(function: Any, fault: str) -> Iterator[None]:
    path, change = FAULTS[fault]
    if path.startswith("region_"):
        called = function.forward if isinstance(function, torch.nn.Module) else function
        space = called.__globals__
        with mock.patch.dict(space, {path: change(space[path])}):
            yield
        return
    *parts, name = path.split(".")
    holder: Any = torch
    for part in parts:
        holder = getattr(holder, part)
    with mock.patch.object(holder, name, change(getattr(holder, name))):
        yield


def planted(function: Any, example: Sequence[Any], fault: str) -> Callable[..., Sequence[Any]]:
    """The function, with the fault."""

    def call(*inputs: Any) -> Any:
        with _changed(function, fault):
            return function(*inputs)

    return call
