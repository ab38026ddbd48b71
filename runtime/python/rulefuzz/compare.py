"""Inputs, and when two results differ. docs/running.md states both; a repro script holds copies of these functions."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import torch

from torch_elements import make_input
from torch_model import Const, Model, Node, call, leaves, pattern

Values = dict[int, torch.Tensor]
NOISE_RUNS = 6
JUMPS = frozenset(
    "amax amin argmax argmin argsort bucketize ceil clamp clamp_max clamp_min clip cummax cummin floor fmax fmin frac "
    "heaviside histc hardtanh isclose kthvalue max max_pool1d max_pool2d max_pool3d maximum median min minimum mode "
    "msort nanmedian quantile nanquantile relu relu6 remainder fmod floor_divide round searchsorted sgn sign sort topk "
    "trunc unique nan_to_num".split()
)
"""APIs (last part of the name) whose result for a NaN or an infinity is not settled."""
ORDERS = frozenset("argsort kthvalue median mode msort nanmedian sort topk".split())
"""APIs that may return any of equal elements: their indices are not compared."""

PILES = frozenset(["as_strided_scatter", "index_copy", "index_put", "put", "scatter"])
"""APIs that may write several values to one place, in any order."""


def tolerance(dtype: torch.dtype) -> tuple[float, float]:
    """Absolute and relative error that rounding explains."""
    if dtype == torch.bfloat16:
        return 5e-2, 5e-2
    if dtype in (torch.float16, torch.complex32):
        return 1e-2, 2e-2
    return (1e-3, 1e-2) if dtype.is_floating_point or dtype.is_complex else (0.0, 0.0)


def differing(got: torch.Tensor, want: torch.Tensor) -> torch.Tensor:
    """Which elements differ: |got - want| > absolute + relative * |want|; NaN equals NaN only, infinity itself only."""
    absolute, relative = tolerance(want.dtype)
    wide = torch.complex128 if want.is_complex() else torch.float64
    if absolute == 0.0:
        return got != want
    return ~torch.isclose(got.to(wide), want.to(wide), rtol=relative, atol=absolute, equal_nan=True)


def difference(got: torch.Tensor, want: torch.Tensor) -> str:
    """How two results differ, "" when they do not."""
    if not isinstance(got, torch.Tensor) or got.layout != want.layout:
        return "not a tensor of the same layout"
    if got.shape != want.shape:
        return f"shape {list(got.shape)} instead of {list(want.shape)}"
    if got.dtype != want.dtype:
        return f"dtype {got.dtype} instead of {want.dtype}"
    if want.layout != torch.strided:
        got, want = got.to_dense(), want.to_dense()
    mask = differing(got, want)
    if not bool(mask.any()):
        return ""
    at = tuple(int(i) for i in mask.nonzero()[0])
    count = int(mask.sum())
    return f"{count} of {mask.numel()} elements, first at {list(at)}: {got[at].item()} instead of {want[at].item()}"


def same_bits(first: torch.Tensor, second: torch.Tensor) -> bool:
    """Whether two results are equal, NaN equal to NaN."""
    if first.layout != torch.strided:
        return True
    if first.shape != second.shape or first.dtype != second.dtype:
        return False
    either_nan = (first != first) & (second != second)
    return bool(((first == second) | either_nan).all())


def input_seed(seed: int, identity: int) -> int:
    """The seed of one input's elements."""
    return (seed * 1000003 + identity) % (1 << 63)


def inputs_of(model: Model, seed: int) -> Values:
    """The model's inputs; each depends on the seed and on its own id only."""
    return {t.id: make_input(t.shape, t.dtype, input_seed(seed, t.id), t.kind, t.span) for t in model.inputs}


def copies(values: Values, model: Model) -> list[torch.Tensor]:
    """Fresh copies of the inputs, in order: a call may write into them."""
    return [values[t.id].clone() for t in model.inputs]


class Mismatch(Exception):
    """A node's results are not what the model says: the rule is wrong, not the framework."""


class Failed(Exception):
    """A node raised."""

    def __init__(self, node: int, error: BaseException) -> None:
        super().__init__(str(error))
        self.node, self.error = node, error


def _check(node: Node, results: list[torch.Tensor]) -> None:
    if len(results) != len(node.outputs):
        raise Mismatch(f"{len(results)} outputs instead of {len(node.outputs)}")
    for result, want in zip(results, node.outputs, strict=True):
        if tuple(result.shape) != want.shape:
            raise Mismatch(f"shape {list(result.shape)} instead of {list(want.shape)}")
        if str(result.dtype) != f"torch.{want.dtype}":
            raise Mismatch(f"dtype {result.dtype} instead of {want.dtype}")


After = Callable[[Node, Values, list[torch.Tensor]], None]


def interpret(model: Model, inputs: Values, after: After | None = None, check: bool = True) -> tuple[Values, list[str]]:
    """Runs the model node by node; all its tensors, and for each node how to take its result apart."""
    values = dict(inputs)
    patterns = []
    for i, node in enumerate(model.nodes):
        try:
            result = call(node, values)
            results = leaves(result)
            if check:
                _check(node, results)
        except Exception as error:
            raise Failed(i, error) from error
        if after:
            after(node, values, results)
        values.update({t.id: r for t, r in zip(node.outputs, results, strict=False)})
        patterns.append(pattern(result, (f"v{t.id}" for t in node.outputs)))
    return values, patterns


class Taint:
    """Follows, through a reference run, the tensors on whose elements a correct compiler may disagree.

    NaN and infinity into a function that jumps or into an integer, floats that do not fit an integer type, shifts
    beyond the width, several values written to one place, and the indices of equal elements that were sorted.
    """

    def __init__(self) -> None:
        self.ids: set[int] = set()
        self._storages: set[int] = set()

    def covers(self, tensor: int, value: torch.Tensor) -> bool:
        """Whether a tensor is marked, or shares its elements with one that is."""
        return tensor in self.ids or bool(_storage(value) & self._storages)

    def __call__(self, node: Node, values: Values, results: list[torch.Tensor]) -> None:
        """After one node."""
        name = node.api.rsplit(".", 1)[-1].rstrip("_")
        taken = [values[i] for i in node.refs()]
        whole = any(i in self.ids for i in node.refs()) or any(_storage(t) & self._storages for t in taken)
        whole = whole or (("linalg" in node.api or name in JUMPS) and any(map(_endless, taken)))
        whole = whole or "shift" in name or name in PILES
        for out, result in zip(node.outputs, results, strict=True):
            integer = not (result.is_floating_point() or result.is_complex() or result.dtype == torch.bool)
            if whole or (integer and name in ORDERS) or any(_lossy(t, result.dtype) for t in taken):
                self.ids.add(out.id)
                self._storages |= _storage(result)


def _storage(tensor: torch.Tensor) -> set[int]:
    """Where the elements lie, if anywhere."""
    return {tensor.untyped_storage().data_ptr()} if tensor.layout == torch.strided and tensor.numel() else set()


def _endless(tensor: torch.Tensor) -> bool:
    return bool((tensor.is_floating_point() or tensor.is_complex()) and not tensor.isfinite().all())


def _lossy(tensor: torch.Tensor, to: torch.dtype) -> bool:
    """Whether a conversion of these floats is undefined in C."""
    if not (tensor.is_floating_point() or tensor.is_complex()) or to.is_floating_point or to.is_complex:
        return False
    if _endless(tensor):
        return True
    if to == torch.bool or not tensor.numel():
        return False
    info = torch.iinfo(to)
    plain = torch.view_as_real(tensor) if tensor.is_complex() else tensor
    exact = plain.to(torch.float64)
    return bool(((exact <= float(info.min) - 1) | (exact >= float(info.max) + 1)).any())


def _eps(dtype: torch.dtype) -> float:
    """Relative noise: some units in the last place."""
    return torch.finfo(dtype).eps * (2 if dtype in (torch.float16, torch.bfloat16) else 8)


def _shake(tensor: torch.Tensor, generator: torch.Generator) -> None:
    """Noise in place on the elements of a float tensor; one that overlaps itself stays as it is."""
    if not (tensor.is_floating_point() or tensor.is_complex()) or tensor.layout != torch.strided:
        return
    noise = (torch.rand(tensor.shape, generator=generator, dtype=torch.float64) * 2 - 1) * _eps(tensor.dtype)
    with contextlib.suppress(RuntimeError):
        tensor.mul_((1 + noise).to(tensor.real.dtype if tensor.is_complex() else tensor.dtype))


def noisy_runs(model: Model, inputs: Values, seed: int) -> Iterator[Values]:
    """Eager runs in which every float is moved by a few units in the last place, after every node."""
    for run in range(NOISE_RUNS):
        generator = torch.Generator().manual_seed(seed * NOISE_RUNS + run)
        shaken = {i: t.clone() for i, t in inputs.items()}
        for tensor in shaken.values():
            _shake(tensor, generator)

        def after(node: Node, values: Values, results: list[torch.Tensor], g: torch.Generator = generator) -> None:
            for result in results:
                _shake(result, g)

        try:
            yield interpret(model, shaken, after, check=False)[0]
        except Failed:
            continue


WIDER = {
    torch.float16: torch.float64,
    torch.bfloat16: torch.float64,
    torch.float32: torch.float64,
    torch.complex32: torch.complex128,
    torch.complex64: torch.complex128,
}


def widened(tensor: torch.Tensor) -> torch.Tensor:
    """A copy in the widest type of its kind."""
    return tensor.to(WIDER[tensor.dtype]) if tensor.dtype in WIDER else tensor.clone()


def _widened_value(value: Any) -> Any:
    if isinstance(value, list):
        return [_widened_value(item) for item in value]
    if isinstance(value, Const) and isinstance(value.value, torch.dtype) and value.value in WIDER:
        return Const(WIDER[value.value], str(WIDER[value.value]))
    return value


def widened_model(model: Model) -> Model:
    """The model with every float dtype among its constants widened."""
    nodes = []
    for node in model.nodes:
        nodes.append(replace(node, args=tuple(replace(arg, value=_widened_value(arg.value)) for arg in node.args)))
    return replace(model, nodes=tuple(nodes))


def wide_run(model: Model, inputs: Values) -> Values | None:
    """All tensors of the model when every float is of 64 bits; None where torch cannot."""
    try:
        wide = {i: widened(t) for i, t in inputs.items()}
        return interpret(widened_model(model), wide, check=False)[0]
    except Failed:
        return None


def other_runs(model: Model, inputs: Values, seed: int) -> list[Values]:
    """Eager runs that are as right as the reference: with noise, and in 64 bits where torch can."""
    wide = wide_run(model, inputs)
    return [*noisy_runs(model, inputs, seed), *([wide] if wide else [])]


def explained(runs: list[Values], tensor: int, want: torch.Tensor) -> torch.Tensor:
    """Which elements of a tensor rounding moves by more than the tolerance: where one of these runs differs."""
    mask = torch.zeros(want.shape, dtype=torch.bool)
    for values in runs:
        other = values.get(tensor)
        if other is None or other.shape != want.shape:
            return torch.ones(want.shape, dtype=torch.bool)
        mask |= differing(other.to(want.dtype) if other.dtype != want.dtype else other, want)
    return mask
