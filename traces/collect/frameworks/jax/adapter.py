"""JAX's adapter: builds the arrays of a call, lowers it, and describes the results.

JAX decides whether a call is valid, and its output shapes, before it reads elements. So a call is traced and lowered with
shapes in place of arrays, which takes a tenth of the time of compiling it for each new shape. Lowering rejects dtypes and
shapes that tracing accepts. A call is run if elements are needed (`deterministic`) or if it cannot be traced because it
reads elements. Nothing here runs before the workers are forked: JAX starts threads with its first
operation, and a child forked later has none.
"""

from __future__ import annotations

import ast
import functools
import math
import os
import warnings
from collections.abc import Callable, Iterator, Sequence
from typing import Any

os.environ.setdefault("JAX_PLATFORMS", "cpu")
os.environ.setdefault("JAX_TRACEBACK_FILTERING", "off")  # it takes longer than the rejected call

import jax
import numpy as np

from rulefuzz.framework import Rejected, Unanswered
from rulefuzz.frameworks.jax import argument
from traces.collect.call.spec import Json, Values
from traces.collect.judge.framework import FILLS, NotTensors, Output, ranged_elements
from traces.collect.records.settings import Budget, Settings

POOL = 1 << 14
"""Elements drawn once per fill; arrays are slices of this pool."""
MEMORY = 1 << 33
"""Address space of a worker: XLA's threads and compiled code need more than other frameworks."""
FRAGILE: frozenset[str] = frozenset()
SETTINGS = Settings(1, Budget(trials=140, fruitless=40, passing=40, failing=40, passing_if_no_failure=16), functions=3)
"""Smaller limits than other frameworks have: many of its functions have the same rule as others."""
SHAPES = ""
"""In place of a fill: arrays without elements."""

Build = Callable[[Values, str, list[int]], Any]
Draw = Callable[[Sequence[int], str, str, int], np.ndarray]
"""Elements of dimensions, dtype, fill and number of the array."""


@functools.cache
def constant(text: str) -> Any:
    """The value of a constant's text: a Python literal, inf or nan."""
    return float(text) if text.lstrip("-") in ("inf", "nan") else ast.literal_eval(text)


def resolve(api: str) -> Any:
    """The function with this dotted name below jax."""
    value: Any = jax
    for name in api.split(".")[1:]:
        value = getattr(value, name)
    return value


@functools.cache
def _pool(fill: str) -> np.ndarray:
    rng = np.random.Generator(np.random.PCG64(1 + sum(fill.encode())))
    if fill in ("ones", "zeros"):
        return np.full(POOL, float(fill == "ones"))
    if fill == "small":
        return rng.random(POOL)
    return rng.standard_normal(POOL) if fill in ("normal", "low") else (rng.random(POOL) * 2 - 1) * 1e6


def elements(dims: Sequence[int], dtype: str, fill: str, place: int) -> np.ndarray:
    """A numpy array; `place` numbers the arrays of a call, so that arrays of equal shape differ."""
    count = math.prod(dims)
    drawn = np.resize(np.roll(_pool(fill), -256 * place), count).reshape(tuple(dims))
    if dtype == "bool":
        return drawn > 0.5
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        return (np.round(drawn * 4) % 100 if "int" in dtype else drawn).astype(jax.numpy.dtype(dtype))


@functools.cache
def _dtype(name: str) -> Any:
    """The dtype of this name. Raises Unanswered if JAX uses another one instead: it has no 64-bit types by default."""
    dtype = jax.numpy.dtype(name)
    own = jax.dtypes.canonicalize_dtype(dtype)
    if own != dtype:
        raise Unanswered(f"no {name} here, but {own.name}")
    return dtype


def _array(array: np.ndarray, dtype: str) -> Any:
    return jax.numpy.asarray(array.astype(_dtype(dtype)))


def _builder(value: Json, draw: Draw) -> Build:
    """A function that builds one argument from the symbols' values, the fill and the number of arrays so far."""
    if isinstance(value, str):
        index = int(value[1:])
        return lambda values, fill, place: values[index]
    if isinstance(value, list):
        parts = [_builder(item, draw) for item in value]
        return lambda values, fill, place: argument([part(values, fill, place) for part in parts])
    if "const" in value:
        fixed = constant(value["const"])
        return lambda values, fill, place: fixed
    dtype = value["dtype"]
    if "elements" in value:
        inner = _builder(value["elements"], draw)
        return lambda values, fill, place: _array(np.array(inner(values, fill, place), dtype), dtype)
    indices = [int(symbol[1:]) for symbol in value["tensor"]]
    bounds = [int(symbol[1:]) for symbol in value.get("range", ())]

    def tensor(values: Values, fill: str, place: list[int]) -> Any:
        place[0] += 1
        dims = [values[i] for i in indices]
        if fill == SHAPES:
            return jax.ShapeDtypeStruct(dims, _dtype(dtype))
        if bounds:
            drawn = ranged_elements(math.prod(dims), values[bounds[0]], values[bounds[1]], fill, place[0])
            return _array(drawn.reshape(dims), dtype)
        return _array(draw(dims, dtype, fill, place[0]), dtype)

    return tensor


class JaxCall:
    """A compiled call: symbols' values to arguments, and the function to call."""

    def __init__(self, api: str, args: Sequence[Json], draw: Draw) -> None:
        self.api, self.function = api, resolve(api)
        self._positional = [_builder(arg["value"], draw) for arg in args if arg["pos"]]
        self._named = {arg["name"]: _builder(arg["value"], draw) for arg in args if not arg["pos"]}
        self.last: tuple[Values, list[Any] | Exception] | None = None
        """The last input and the result of tracing it."""

    def arguments(self, values: Values, fill: str) -> tuple[list[Any], dict[str, Any]]:
        """Fresh arguments."""
        place = [0]
        positional = [build(values, fill, place) for build in self._positional]
        return positional, {name: build(values, fill, place) for name, build in self._named.items()}

    def traced(self, values: Values) -> Any:
        """The call's results without elements. Raises ConcretizationTypeError if it needs elements."""
        positional, named = self.arguments(values, SHAPES)
        arrays = _arrays([positional, list(named.values())])

        def call(given: list[Any]) -> Any:
            rest = iter(given)
            return self.function(*_replaced(positional, rest), **{name: _replaced(v, rest) for name, v in named.items()})

        traced = jax.jit(call).trace(arrays)
        traced.lower()
        return traced.out_info


ARRAYS = (jax.Array, jax.ShapeDtypeStruct)


def _arrays(value: Any) -> list[Any]:
    if isinstance(value, (list, tuple)):
        return [array for item in value for array in _arrays(item)]
    return [value] if isinstance(value, ARRAYS) else []


def _replaced(value: Any, rest: Iterator[Any]) -> Any:
    """The value with each array replaced by the next of the others."""
    if isinstance(value, (list, tuple)):
        return type(value)(_replaced(item, rest) for item in value)
    return next(rest) if isinstance(value, ARRAYS) else value


def flatten(result: Any) -> list[Any]:
    """The arrays of a result, with tuples and lists flattened."""
    if isinstance(result, (list, tuple)):
        return [array for item in result for array in flatten(item)]
    if isinstance(result, ARRAYS):
        if jax.dtypes.issubdtype(result.dtype, jax.dtypes.extended):
            raise NotTensors("an output is an array of keys")
        if result.weak_type:
            raise NotTensors("an output is weakly typed: calls on it promote as on a Python number")
        return [result]
    raise NotTensors(f"an output is not an array but {type(result).__name__}")


def refusal(error: Exception) -> Exception:
    """Classifies an exception of JAX."""
    if isinstance(error, (MemoryError, RecursionError)) or "RESOURCE_EXHAUSTED" in str(error):
        return Unanswered("out of memory")
    return Rejected(f"{type(error).__name__}: {error}")


class JaxAdapter:
    """See judge.framework.Framework."""

    name = "jax"
    draw: Draw = staticmethod(elements)

    def __init__(self) -> None:
        self.version = jax.__version__
        self._repeats: dict[str, bool] = {}
        """Functions that were run three times, and whether with the same elements."""
        for fill in FILLS:  # before the fork, so that the workers share them
            _pool(fill)

    def compile(self, api: str, args: Sequence[Json]) -> JaxCall:
        """A callable form of a call."""
        return JaxCall(api, args, self.draw)

    def _traced(self, call: JaxCall, values: Values) -> list[Any]:
        """The call's results without elements. They do not depend on the fill, so the last input's result is cached."""
        if call.last is None or call.last[0] != values:
            try:
                call.last = values, flatten(call.traced(values))
            except (Unanswered, NotTensors, jax.errors.ConcretizationTypeError) as error:
                call.last = values, error
            except Exception as error:
                call.last = values, refusal(error)
        if isinstance(call.last[1], Exception):
            raise call.last[1]
        return call.last[1]

    def ran(self, call: JaxCall, values: Values, fill: str) -> list[Any]:
        """The result of a call."""
        positional, named = call.arguments(values, fill)
        try:
            return flatten(call.function(*positional, **named))
        except NotTensors:
            raise
        except Exception as error:
            raise refusal(error) from error

    def run(self, call: JaxCall, values: Values, fill: str) -> tuple[Output, ...]:
        """Traces a call, or runs it, and describes its outputs."""
        try:
            arrays = self._traced(call, values)
        except jax.errors.ConcretizationTypeError:
            arrays = self.ran(call, values, fill)
        return tuple((tuple(array.shape), array.dtype.name) for array in arrays)

    def deterministic(self, call: JaxCall, values: Values) -> bool:
        """True if three runs on the same input give the same elements. JAX's functions have no state, so one call of each
        function is tried."""
        if call.api not in self._repeats:
            first, *others = ([np.asarray(array).tobytes() for array in self.ran(call, values, "normal")] for _ in range(3))
            self._repeats[call.api] = all(other == first for other in others)
        return self._repeats[call.api]


def load() -> JaxAdapter:
    """See registry.load."""
    return JaxAdapter()
