"""The transforms of regions, in torch alone: repro scripts hold copies of them.

`body` takes the tensors `taken` and returns a tuple of tensors. The first `ends` are results that no call of the body
uses. A transform returns these tensors, then its further results.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import torch
import torch.utils.checkpoint

Body = Callable[..., Any]

# ---- helpers


def region_weights(x: Any) -> Any:
    """1, 2, 3, 1, 2, 3, ... as cotangents and tangents."""
    return (torch.arange(x.numel()) % 3 + 1).to(x.dtype).reshape(x.shape)


def region_floats(body: Body, taken: Sequence[Any], ends: int) -> tuple[Body, tuple[Any, ...]]:
    """A function of the float arguments that returns the float ends and, beside them, all tensors; and these arguments."""
    places = [i for i, x in enumerate(taken) if x.is_floating_point()]

    def function(*floats: Any) -> Any:
        given = list(taken)
        for place, x in zip(places, floats):
            given[place] = x
        results = tuple(body(*given))
        return tuple(x for x in results[:ends] if x.is_floating_point()), results

    return function, tuple(taken[i] for i in places)


def region_total(body: Body, taken: Sequence[Any], ends: int) -> tuple[Body, tuple[Any, ...]]:
    """The same, but the weighted sum of the float ends."""
    function, floats = region_floats(body, taken, ends)

    def total(*given: Any) -> Any:
        found, results = function(*given)
        return sum((x * region_weights(x)).sum() for x in found), results

    return total, floats


def region_gradients(function: Body, taken: Sequence[Any], ends: int) -> list[Any]:
    """The function's tensors, then the gradients of the float arguments by autograd."""
    with torch.enable_grad():
        leaves = [x.detach().requires_grad_() if x.is_floating_point() else x for x in taken]
        results = list(function(*leaves))
        heads = [x for x in results[:ends] if x.requires_grad]
        wanted = [x for x in leaves if x.is_floating_point()]
        weights = [region_weights(x) for x in heads]
        found = torch.autograd.grad(heads, wanted, weights, allow_unused=True) if heads else [None] * len(wanted)
    return [x.detach() for x in results] + [torch.zeros_like(x) if y is None else y for x, y in zip(wanted, found)]


def region_negated(x: Any) -> Any:
    """Other elements of the same kind."""
    if x.dtype == torch.bool:
        return ~x
    return -x if x.dtype.is_signed else torch.zeros_like(x)


def region_pair(x: Any) -> Any:
    """The tensor, and one with the same elements in another order."""
    return torch.stack([x, x.roll(1)])


# ---- torch.func


def region_grad(body: Body, taken: Sequence[Any], ends: int, variant: int) -> list[Any]:
    """torch.func.grad of the weighted sum."""
    total, floats = region_total(body, taken, ends)
    gradient = torch.func.grad_and_value if variant & 1 else torch.func.grad
    found, results = gradient(total, tuple(range(len(floats))), has_aux=True)(*floats)
    return [*(results[1] if variant & 1 else results), *found]


def region_vjp(body: Body, taken: Sequence[Any], ends: int, variant: int) -> list[Any]:
    """torch.func.vjp."""
    function, floats = region_floats(body, taken, ends)
    found, pull, results = torch.func.vjp(function, *floats, has_aux=True)
    return [*results, *pull(tuple(x if variant & 1 else region_weights(x) for x in found))]


def region_jvp(body: Body, taken: Sequence[Any], ends: int, variant: int) -> list[Any]:
    """torch.func.jvp."""
    function, floats = region_floats(body, taken, ends)
    tangents = tuple(x if variant & 1 else region_weights(x) for x in floats)
    _, found, results = torch.func.jvp(function, floats, tangents, has_aux=True)
    return [*results, *found]


def region_jacrev(body: Body, taken: Sequence[Any], ends: int, variant: int) -> list[Any]:
    """torch.func.jacrev of the first float end by the first float, maybe twice."""
    function, floats = region_floats(body, taken, ends)
    jacobian = torch.func.jacrev(lambda x: function(x, *floats[1:])[0][0])
    return [*body(*taken), (torch.func.jacrev(jacobian) if variant & 2 else jacobian)(floats[0])]


def region_jacfwd(body: Body, taken: Sequence[Any], ends: int, variant: int) -> list[Any]:
    """torch.func.jacfwd of the first float end by the first float, maybe twice."""
    function, floats = region_floats(body, taken, ends)
    jacobian = torch.func.jacfwd(lambda x: function(x, *floats[1:])[0][0])
    return [*body(*taken), (torch.func.jacfwd(jacobian) if variant & 2 else jacobian)(floats[0])]


def region_hessian(body: Body, taken: Sequence[Any], ends: int, variant: int) -> list[Any]:
    """Two jacobians of the weighted sum by the first float."""
    total, floats = region_total(body, taken, ends)
    ways = (torch.func.jacrev, torch.func.jacfwd)
    outer, inner = ways[variant & 1], ways[variant >> 1 & 1]
    return [*body(*taken), outer(inner(lambda x: total(x, *floats[1:])[0]))(floats[0])]


def region_vmap(body: Body, taken: Sequence[Any], ends: int, variant: int) -> list[Any]:
    """torch.func.vmap over a batch of two: results of the first, and whole batches."""
    out, inner = (-1 if variant & bit else 0 for bit in (1, 4))
    every = bool(variant & 2) or not any(x.is_floating_point() for x in taken)
    batched = [every or x.is_floating_point() for x in taken]
    pairs = [torch.stack([x, x.roll(1)], inner) if many else x for x, many in zip(taken, batched)]
    dims = tuple(inner if many else None for many in batched)
    results = torch.func.vmap(lambda *given: tuple(body(*given)), dims, out)(*pairs)
    return [x.select(out, 0) for x in results] + list(results[:ends])


class RegionModule(torch.nn.Module):  # type: ignore[misc]
    """A module with a buffer for each argument."""

    def __init__(self, body: Body, taken: Sequence[Any]) -> None:
        super().__init__()
        self.body, self.count = body, len(taken)
        for i, x in enumerate(taken):
            self.register_buffer(f"x{i}", torch.zeros_like(x))

    def forward(self) -> Any:
        """The results."""
        return tuple(self.body(*[getattr(self, f"x{i}") for i in range(self.count)]))


def region_functional_call(body: Body, taken: Sequence[Any], ends: int, variant: int) -> list[Any]:
    """torch.func.functional_call with the arguments as buffers."""
    module = RegionModule(body, taken)
    return list(torch.func.functional_call(module, {f"x{i}": x for i, x in enumerate(taken)}, ()))


# ---- autograd


def region_twice(body: Body, taken: Sequence[Any], ends: int, variant: int) -> list[Any]:
    """Gradients by autograd, and the gradients of their weighted sum."""
    with torch.enable_grad():
        leaves = [x.detach().requires_grad_() if x.is_floating_point() else x for x in taken]
        results = list(body(*leaves))
        heads = [x for x in results[:ends] if x.requires_grad]
        wanted = [x for x in leaves if x.is_floating_point()]
        weights = [region_weights(x) for x in heads]
        none = [None] * len(wanted)
        first = torch.autograd.grad(heads, wanted, weights, create_graph=True, allow_unused=True) if heads else none
        again = [x for x in first if x is not None and x.requires_grad]
        weights = [region_weights(x) for x in again]
        second = torch.autograd.grad(again, wanted, weights, allow_unused=True) if again else none
    found = [torch.zeros_like(x) if y is None else y.detach() for x, y in zip([*wanted, *wanted], [*first, *second])]
    return [x.detach() for x in results] + found


def region_backward(body: Body, saved: Sequence[Any], grads: Sequence[Any], factor: int) -> tuple[Any, ...]:
    """The gradient of each argument, times a factor: the backward pass of an autograd.Function."""
    function, floats = region_floats(body, saved, len(grads))
    found, pull, results = torch.func.vjp(function, *floats, has_aux=True)
    given = [grad for grad, x in zip(grads, results) if x.is_floating_point()]
    pulled = iter(pull(tuple(torch.zeros_like(x) if grad is None else grad for x, grad in zip(found, given))))
    return tuple(next(pulled) * factor if x.is_floating_point() else None for x in saved)


def region_custom(made: Any, taken: Sequence[Any], ends: int, variant: int) -> list[Any]:
    """An autograd.Function; maybe also its gradients, by autograd or torch.func."""
    if not variant & 2:
        return list(made.apply(*taken))
    if variant & 4:
        return region_gradients(made.apply, taken, ends)
    return region_vjp(made.apply, taken, ends, 0)


def region_checkpoint(body: Body, taken: Sequence[Any], ends: int, variant: int) -> list[Any]:
    """torch.utils.checkpoint, whose backward pass runs the body again; maybe also the gradients."""

    def function(*given: Any) -> Any:
        return torch.utils.checkpoint.checkpoint(
            lambda *inner: tuple(body(*inner)), *given, use_reentrant=variant % 8 == 1, preserve_rng_state=bool(variant & 4)
        )

    return region_gradients(function, taken, ends) if variant & 2 else list(function(*taken))


# ---- contexts


def region_autocast(body: Body, taken: Sequence[Any], ends: int, variant: int) -> list[Any]:
    """Also the float ends under torch.autocast: on, on twice, off within on, on within off."""
    dtype = torch.float16 if variant & 4 else torch.bfloat16
    outer, inner = variant & 3 != 3, variant & 3 != 2
    with torch.autocast("cpu", dtype, enabled=outer):
        first = [x + 0 if x.is_floating_point() else x for x in taken]
        with torch.autocast("cpu", dtype, enabled=inner):
            found = body(*first)
    results = body(*taken)
    pairs = zip(results[:ends], found[:ends])
    return [*results, *(y for x, y in pairs if x.is_floating_point())]


def region_no_grad(body: Body, taken: Sequence[Any], ends: int, variant: int) -> list[Any]:
    """Within no_grad, set_grad_enabled, or enable_grad in no_grad."""
    if variant & 3 == 0:
        with torch.set_grad_enabled(False):
            return list(body(*taken))
    if variant & 3 == 1:
        with torch.no_grad(), torch.enable_grad():
            return list(body(*taken))
    with torch.no_grad():
        return list(body(*taken))


def region_inference_mode(body: Body, taken: Sequence[Any], ends: int, variant: int) -> list[Any]:
    """Within inference_mode."""
    with torch.inference_mode():
        results = body(*taken)
    return [x.clone() for x in results]


# ---- control flow. In eager mode these are plain Python, which is what they mean.


def region_own(x: Any, own: int) -> Any:
    """A copy; maybe with a tensor that the branch or body makes itself."""
    return torch.where(torch.tensor(True), x, x) if own else x.clone()


def region_cond(body: Body, taken: Sequence[Any], ends: int, variant: int) -> list[Any]:
    """torch.cond, whose other branch negates the results."""

    def one(*given: Any) -> Any:
        return tuple(region_own(x, variant & 2) for x in body(*given))

    def other(*given: Any) -> Any:
        return tuple(region_negated(x) for x in body(*given))

    total = (taken[0] != taken[0]).sum()
    chosen = total >= 0 if variant & 1 else total < 0
    branches = (one, other) if variant & 1 else (other, one)
    if torch.compiler.is_compiling():
        return list(torch.cond(chosen, *branches, tuple(taken)))
    results = [branch(*taken) for branch in branches]
    return list(results[0] if chosen else results[1])


def region_while_loop(body: Body, taken: Sequence[Any], ends: int, variant: int) -> list[Any]:
    """torch.while_loop of one to three trips; each computes the results again."""
    trips = 1 + variant % 3

    def more(i: Any, *carried: Any) -> Any:
        return i < trips

    def again(i: Any, *carried: Any) -> Any:
        return (i + 1, *(region_own(x, variant & 4) for x in body(*taken)))

    carried = (torch.zeros((), dtype=torch.int64), *(region_negated(x) for x in body(*taken)))
    if torch.compiler.is_compiling():
        return list(torch._higher_order_ops.while_loop(more, again, carried)[1:])
    while more(*carried):
        carried = again(*carried)
    return list(carried[1:])


def region_scan(body: Body, taken: Sequence[Any], ends: int, variant: int) -> list[Any]:
    """torch's scan over two slices of the arguments: results of one, and all."""
    reverse = bool(variant & 1)

    def step(carried: Any, given: Any) -> Any:
        return carried + 1, [region_own(x, variant & 2) for x in body(*given)]

    slices, start = [region_pair(x) for x in taken], torch.zeros((), dtype=torch.int64)
    if torch.compiler.is_compiling():
        _, results = torch._higher_order_ops.scan(step, start, slices, dim=0, reverse=reverse)
    else:
        each = [step(start, [x[i] for x in slices])[1] for i in range(2)]
        results = [torch.stack(pair) for pair in zip(*each)]
    return [x[0] for x in results] + list(results[:ends])


def region_map(body: Body, taken: Sequence[Any], ends: int, variant: int) -> list[Any]:
    """torch's map over two slices of the floats: results of the first, and all."""
    every = bool(variant & 1) or not any(x.is_floating_point() for x in taken)
    mapped = [every or x.is_floating_point() for x in taken]

    def step(given: Any, *others: Any) -> Any:
        one, other = iter(given), iter(others)
        return [region_own(x, variant & 2) for x in body(*[next(one) if many else next(other) for many in mapped])]

    slices = [region_pair(x) for x, many in zip(taken, mapped) if many]
    others = [x for x, many in zip(taken, mapped) if not many]
    if torch.compiler.is_compiling():
        results = torch._higher_order_ops.map(step, slices, *others)
    else:
        each = [step([x[i] for x in slices], *others) for i in range(2)]
        results = [torch.stack(pair) for pair in zip(*each)]
    return [x[0] for x in results] + list(results[:ends])
