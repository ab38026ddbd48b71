"""PyTorch's adapter: builds the tensors of a call, runs it, and describes the results."""

from __future__ import annotations

import ast
import contextlib
import math
import re
import warnings
from collections.abc import Callable, Sequence
from typing import Any

import torch

from rulefuzz import own
from rulefuzz.framework import Rejected, Unanswered
from traces.collect.call.spec import Json, Values
from traces.collect.judge.fence import fenced
from traces.collect.judge.framework import FILLS, ROWS, NotTensors, Output, ranged_elements
from traces.collect.judge.trying import USUAL, Trying

POOL = 1 << 20
"""Elements drawn once per dtype and fill; tensors are copies of slices of this pool."""
OUT_OF_MEMORY = ("can't allocate memory", "not enough memory", "out of memory", "Cannot allocate memory", "bad_alloc")
"""Patterns of out-of-memory messages."""

LAST = "delicate"
"""The last stage, which marks operators that are delicate or write to inputs."""
FRAGILE = frozenset({"torch.linalg.ldl_solve", "torch.linalg.lstsq", "torch.lstm"})
"""APIs that read or write beyond their tensors on some inputs, and crash at random. If their first run were not guarded
like the second, the records would vary. Their tensors end at an inaccessible page (fence.py)."""

UNINITIALISED = re.compile(r"empty")
"""Functions that return uninitialized memory, though the elements may look the same."""

TRYING = Trying((*USUAL, "complex64", "complex128"), prefix="torch.", numbers=True)
"""Dtypes of calls."""

Arguments = tuple[list[Any], dict[str, Any]]


def constant(text: str) -> Any:
    """The value of a constant's text: a Python literal, inf, nan, or a name in torch."""
    if text.startswith("torch."):
        return resolve(text)
    if text.lstrip("-") in ("inf", "nan"):
        return float(text)
    return ast.literal_eval(text)


def resolve(api: str) -> Any:
    """The object with this dotted name below torch, or the user's own function."""
    if api in own.functions():
        return own.functions()[api]
    value: Any = torch
    for name in api.split(".")[1:]:
        value = getattr(value, name)
    return value


class Pools:
    """Element pools by fill and dtype; the same slice always holds the same elements."""

    def __init__(self) -> None:
        self._pools: dict[tuple[str, torch.dtype], torch.Tensor] = {}
        for fill in FILLS:  # before the fork, so that the workers share them
            for dtype in (torch.float32, torch.int64, torch.bool):
                self._pool(fill, dtype)

    def tensor(self, dims: Sequence[int], dtype: torch.dtype, fill: str, place: int) -> torch.Tensor:
        """A new dense tensor; `place` numbers the tensors of a call, so that tensors of equal shape differ."""
        count = math.prod(dims)
        if fill == ROWS:
            noise = self.tensor(dims, torch.float64, "small", place) / 8
            return (noise + torch.arange(dims[-1] if dims else 1)).view(tuple(dims)).to(dtype)
        pool = self._pool(fill, dtype)
        if count > POOL:
            repeats = -(-count // POOL)
            return pool.repeat(repeats)[:count].view(tuple(dims))
        start = min(place * 4096, POOL - count)
        return pool[start : start + count].view(tuple(dims)).clone()  # no view: inputs of models are not views

    def _pool(self, fill: str, dtype: torch.dtype) -> torch.Tensor:
        key = ("normal" if fill == "low" else fill, dtype)
        if key not in self._pools:
            self._pools[key] = self._draw(key[0], dtype)
        return self._pools[key]

    @staticmethod
    def _draw(fill: str, dtype: torch.dtype) -> torch.Tensor:
        generator = torch.Generator().manual_seed(1 + sum(fill.encode()))
        if fill == "ones":
            drawn = torch.ones(POOL, dtype=torch.float64)
        elif fill == "zeros":
            drawn = torch.zeros(POOL, dtype=torch.float64)
        elif fill == "small":
            drawn = torch.rand(POOL, generator=generator, dtype=torch.float64)
            drawn = drawn if dtype.is_floating_point or dtype.is_complex else (drawn * 3).floor()
        elif fill == "normal":
            drawn = torch.randn(POOL, generator=generator, dtype=torch.float64)
            drawn = drawn if dtype.is_floating_point or dtype.is_complex else (drawn * 4).round()
        else:
            drawn = (torch.rand(POOL, generator=generator, dtype=torch.float64) * 2 - 1) * 1e6
        if dtype == torch.bool:
            return drawn > 0.5
        if dtype == torch.float16:
            drawn = drawn.clamp(-6e4, 6e4)
        if dtype in (torch.uint8, torch.int8, torch.int16, torch.uint16):
            drawn = drawn.remainder(100)
        return drawn.to(dtype)


def _builder(value: Json) -> Callable[[Values, str, Pools, list[int]], Any]:
    """A function that builds one argument from the symbols' values."""
    if isinstance(value, str):
        index = int(value[1:])
        return lambda values, fill, pools, place: values[index]
    if isinstance(value, list):
        parts = [_builder(item) for item in value]
        return lambda values, fill, pools, place: [part(values, fill, pools, place) for part in parts]
    if "const" in value:
        fixed = constant(value["const"])
        return lambda values, fill, pools, place: fixed
    dtype = getattr(torch, value["dtype"])
    if "elements" in value:
        inner = _builder(value["elements"])
        return lambda values, fill, pools, place: torch.tensor(inner(values, fill, pools, place), dtype=dtype)
    indices = [int(symbol[1:]) for symbol in value["tensor"]]
    if "range" in value:
        low, high = (int(symbol[1:]) for symbol in value["range"])

        def ranged(values: Values, fill: str, pools: Pools, place: list[int]) -> torch.Tensor:
            place[0] += 1
            dims = [values[i] for i in indices]
            drawn = ranged_elements(math.prod(dims), values[low], values[high], fill, place[0])
            return torch.from_numpy(drawn).to(dtype).view(dims)

        return ranged

    def tensor(values: Values, fill: str, pools: Pools, place: list[int]) -> torch.Tensor:
        place[0] += 1
        return pools.tensor([values[i] for i in indices], dtype, fill, place[0])

    return tensor


class FencedPools(Pools):
    """Tensors with the same elements, each ending at a fence."""

    def __init__(self, pools: Pools) -> None:  # the elements are drawn already
        self._pools = pools._pools

    def tensor(self, dims: Sequence[int], dtype: torch.dtype, fill: str, place: int) -> torch.Tensor:
        """See Pools.tensor."""
        found = super().tensor(dims, dtype, fill, place)
        if found.numel() == 0:
            return found
        memory = fenced(found.numel() * found.element_size())
        return torch.frombuffer(memory, dtype=dtype).view(found.shape).copy_(found)


class TorchCall:
    """A compiled call: symbols' values to arguments, and the function to call."""

    def __init__(self, api: str, args: Sequence[Json], pools: Pools) -> None:
        self.function = resolve(api)
        self.uninitialised = UNINITIALISED.search(api) is not None
        self._pools = pools
        self._positional = [_builder(arg["value"]) for arg in args if arg["pos"]]
        self._named = {arg["name"]: _builder(arg["value"]) for arg in args if not arg["pos"]}

    def arguments(self, values: Values, fill: str) -> Arguments:
        """Fresh arguments, since a call may write to its inputs."""
        place = [0]
        positional = [build(values, fill, self._pools, place) for build in self._positional]
        return positional, {name: build(values, fill, self._pools, place) for name, build in self._named.items()}


def flatten(result: Any) -> list[torch.Tensor]:
    """The tensors of a result, with tuples and lists flattened."""
    if isinstance(result, torch.Tensor):
        if result.layout != torch.strided or result.is_quantized or result.is_nested:
            raise NotTensors("an output is not a dense tensor")
        return [result]
    if isinstance(result, (list, tuple)) and not isinstance(result, torch.Size):
        return [tensor for item in result for tensor in flatten(item)]
    raise NotTensors(f"an output is not a tensor but {type(result).__name__}")


def same_elements(first: torch.Tensor, second: torch.Tensor) -> bool:
    """True if two tensors are equal, NaN equal to NaN."""
    if first.shape != second.shape or first.dtype != second.dtype:
        return False
    if first.dtype.is_floating_point or first.dtype.is_complex:
        first, second = first.clone(), second.clone()
        both_nan = torch.isnan(first) & torch.isnan(second)
        return bool(((first == second) | both_nan).all())
    return bool((first == second).all())


class TorchAdapter:
    """See judge.framework.Framework."""

    name = "torch"

    def __init__(self) -> None:
        torch.set_num_threads(1)
        torch.set_grad_enabled(False)
        torch.manual_seed(1)
        warnings.simplefilter("ignore")
        self.version = torch.__version__.split("+")[0]
        self._pools = Pools()
        self._fenced = FencedPools(self._pools)
        own.functions()  # imported before there are workers

    def compile(self, api: str, args: Sequence[Json]) -> TorchCall:
        """A callable form of a call."""
        return TorchCall(api, args, self._fenced if self.is_fenced(api) else self._pools)

    def is_fenced(self, api: str) -> bool:
        """See Fencing."""
        return api in FRAGILE

    def _call(self, call: TorchCall, values: Values, fill: str) -> list[torch.Tensor]:
        positional, named = call.arguments(values, fill)
        try:
            result = call.function(*positional, **named)
        except (MemoryError, RecursionError) as error:
            raise Unanswered(type(error).__name__) from error
        except Exception as error:
            message = str(error)
            if any(sign in message for sign in OUT_OF_MEMORY):
                raise Unanswered("out of memory") from error
            raise Rejected(f"{type(error).__name__}: {message}") from error
        return flatten(result)

    def run(self, call: TorchCall, values: Values, fill: str) -> tuple[Output, ...]:
        """Runs a call and describes its outputs."""
        outputs = self._call(call, values, fill)
        return tuple((tuple(tensor.shape), str(tensor.dtype)[len("torch.") :]) for tensor in outputs)

    def deterministic(self, call: TorchCall, values: Values) -> bool:
        """True if three runs on the same input give the same elements. Results are overwritten between runs, so that reused
        memory shows which parts are not written."""
        if call.uninitialised:
            return False
        first = [tensor.clone() for tensor in self._call(call, values, "normal")]
        for _ in range(2):
            again = self._call(call, values, "normal")
            if len(again) != len(first) or not all(map(same_elements, first, again)):
                return False
            for tensor in again:
                with contextlib.suppress(RuntimeError):  # an expanded tensor
                    tensor.fill_(1)
        return True


def load() -> TorchAdapter:
    """See registry.load."""
    return TorchAdapter()
