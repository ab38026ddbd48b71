"""TensorFlow's adapter: builds the tensors of a raw operator's call, runs it, and describes the results.

Nothing here runs an operator before the workers are forked: TensorFlow starts threads with the first one, and a child
forked later has none.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import tensorflow as tf
from tensorflow.python.framework import op_def_registry

from rulefuzz import own
from rulefuzz.framework import Rejected, Unanswered
from rulefuzz.frameworks.tensorflow_evaluate import QUANTIZED, constant
from traces.collect.call.spec import Json, Values
from traces.collect.judge.framework import FILLS, ROWS, NotTensors, Output, ranged_elements
from traces.collect.judge.trying import USUAL, Trying
from traces.collect.records.settings import Budget, Settings

POOL = 1 << 16
"""Elements drawn once per dtype and fill; tensors are slices of this pool."""
STRINGS = 1 << 13
SETTINGS = Settings(1, Budget(trials=200, passing=60, failing=60, passing_if_no_failure=30), functions=4, told=10)
LAST = "writes"
"""The last stage, which marks operators that write to their inputs."""
TRYING = Trying((*USUAL, "uint16", "uint32", "uint64", "complex64", "complex128", "string"), prefix="tf.")
"""Dtypes of calls."""
FRAGILE: frozenset[str] = frozenset()
SCALAR_STEP = {"normal": 1.0, "small": 0.4, "wild": 1e5, "wild2": 7e4, "wild3": 5e4}
"""Distance between scalar float inputs of a call: a later one is larger, as in (min, max) and (start, limit)."""


@dataclass
class Building:
    """The arguments of a call under construction."""

    count: int = 0
    """Number of tensors so far."""
    variables: list[tuple[Any, Any]] = field(default_factory=list)
    """The variables among the arguments: handle and dtype."""


Build = Callable[[Values, str, Building], Any]


class Pools:
    """Element pools by fill and dtype; the same slice always holds the same elements."""

    def __init__(self) -> None:
        self._pools: dict[tuple[str, str], np.ndarray] = {}
        for fill in FILLS:  # before the fork, so that the workers share them
            for dtype in ("float32", "int32", "int64", "bool", "string"):
                self._pool("normal" if fill == "low" else fill, dtype)

    def array(self, dims: Sequence[int], dtype: str, fill: str, place: int) -> np.ndarray:
        """A dense array; `place` numbers the tensors of a call, so that tensors of equal shape differ."""
        count = math.prod(dims)
        if fill == ROWS and dtype != "string":
            noise = self.array(dims, "float64", "small", place) / 8
            return (noise + np.arange(dims[-1] if dims else 1)).reshape(tuple(dims)).astype(tf.as_dtype(dtype).as_numpy_dtype)
        pool = self._pool("normal" if fill == "low" else fill, dtype)
        if not dims and dtype.startswith(("float", "bfloat")) and fill in SCALAR_STEP:
            step = SCALAR_STEP[fill]
            return np.asarray((place - 3) * step + abs(float(pool[place])) % step).astype(pool.dtype)
        if count > len(pool):
            return np.resize(pool, count).reshape(tuple(dims))
        start = min(place * 256, len(pool) - count)
        return pool[start : start + count].reshape(tuple(dims))

    def _pool(self, fill: str, dtype: str) -> np.ndarray:
        key = (fill, dtype)
        if key not in self._pools:
            self._pools[key] = self._draw(fill, dtype)
        return self._pools[key]

    @staticmethod
    def _draw(fill: str, dtype: str) -> np.ndarray:
        generator = np.random.Generator(np.random.PCG64(1 + sum(fill.encode())))
        count = STRINGS if dtype == "string" else POOL
        whole = dtype == "string" or "int" in dtype
        if fill in ("ones", "zeros"):
            drawn = np.full(count, float(fill == "ones"))
        elif fill == "small":
            drawn = generator.random(count)
            drawn = np.floor(drawn * 3) if whole else drawn
        elif fill == "normal":
            drawn = generator.standard_normal(count)
            drawn = np.round(drawn * 4) if whole else drawn
        else:
            drawn = (generator.random(count) * 2 - 1) * 1e6
        if dtype == "string":  # digits are valid as numbers, JSON and base64
            return np.array([str(int(abs(x))).zfill(8 if fill.startswith("wild") else 4).encode() for x in drawn], object)
        if dtype == "bool":
            return np.asarray(drawn > 0.5)
        if dtype == "float16":
            drawn = drawn.clip(-6e4, 6e4)
        if whole and not dtype.endswith(("32", "64")):
            drawn = np.floor(drawn) % 100
        elif dtype.startswith("uint"):
            drawn = np.abs(np.floor(drawn))
        return drawn.astype(tf.as_dtype(dtype).as_numpy_dtype)


ANONYMOUS = "cd2c89b7-88b7-44c8-ad83-06c2a9158347"
"""TensorFlow's name for an anonymous variable, which is freed with its last handle."""


def _variable(array: Any, dtype: Any, building: Building) -> Any:
    handle = tf.raw_ops.VarHandleOp(dtype=dtype, shape=array.shape, shared_name=ANONYMOUS)
    tf.raw_ops.AssignVariableOp(resource=handle, value=array)
    building.variables.append((handle, dtype))
    return handle


def _list(array: Any, dtype: Any, building: Building) -> Any:
    return tf.raw_ops.TensorListFromTensor(tensor=array, element_shape=np.array(array.shape[1:], np.int32))


def _dataset(array: Any, dtype: Any, building: Building) -> Any:
    shape = list(array.shape)[1:]
    return tf.raw_ops.TensorSliceDataset(components=[array], output_shapes=[shape])


def _matrix(array: Any, dtype: Any, building: Building) -> Any:
    places = np.argwhere(np.ones(array.shape, bool)).astype(np.int64).reshape(-1, len(array.shape))
    return tf.raw_ops.DenseToCSRSparseMatrix(dense_input=array, indices=places)


def _optional(array: Any, dtype: Any, building: Building) -> Any:
    return tf.raw_ops.OptionalFromValue(components=[array])


HOLDERS = {"variable": _variable, "list": _list, "dataset": _dataset, "matrix": _matrix, "optional": _optional}
"""Wraps a tensor for a call: a variable with its value, the list, dataset or optional of its slices or of itself, or a
sparse matrix that stores all its elements."""


class TensorFlowCall:
    """A compiled call: symbols' values to keyword arguments, and the function to call.

    Tensors are created before the call: TensorFlow would convert an array to the dtype that the operator wants, so an
    operator of floats would seem to accept booleans.
    """

    def __init__(self, api: str, args: Sequence[Json], pools: Pools) -> None:
        name = api.rsplit(".", 1)[-1]
        self.nothing = api not in own.functions() and not op_def_registry.get(name).output_arg
        """True if it returns nothing: then its variables' values are its outputs."""
        self.function = own.functions()[api] if api in own.functions() else getattr(tf.raw_ops, name)
        self._pools = pools
        self._builders = {arg["name"]: self._builder(arg["value"]) for arg in args}

    def arguments(self, values: Values, fill: str, building: Building) -> dict[str, Any]:
        """Fresh arguments."""
        return {name: build(values, fill, building) for name, build in self._builders.items()}

    def _builder(self, value: Json) -> Build:
        if isinstance(value, str):
            index = int(value[1:])
            return lambda values, fill, building: values[index]
        if isinstance(value, list):
            parts = [self._builder(item) for item in value]
            return lambda values, fill, building: [part(values, fill, building) for part in parts]
        if "const" in value:
            fixed = constant(value["const"])
            return lambda values, fill, building: fixed
        return self._tensor(value)

    def _tensor(self, value: Json) -> Build:
        dtype = value["dtype"]
        if "elements" in value:
            inner, kind = self._builder(value["elements"]), tf.as_dtype(dtype).as_numpy_dtype
            return lambda values, fill, building: tf.constant(np.array(inner(values, fill, building), kind))
        indices = [int(symbol[1:]) for symbol in value["tensor"]]
        bounds = [int(symbol[1:]) for symbol in value.get("range", ())]
        stored = QUANTIZED.get(dtype, dtype)
        hold = HOLDERS[value["held"]] if "held" in value else None

        def tensor(values: Values, fill: str, building: Building) -> Any:
            building.count += 1
            dims = [values[i] for i in indices]
            if bounds:
                drawn = ranged_elements(math.prod(dims), values[bounds[0]], values[bounds[1]], fill, building.count)
                return tf.constant(drawn.astype(stored).reshape(dims))
            array = tf.constant(self._pools.array(dims, stored, fill, building.count))
            if dtype in QUANTIZED:
                array = tf.raw_ops.Bitcast(input=array, type=getattr(tf, dtype))
            return hold(array, getattr(tf, dtype), building) if hold else array

        return tensor


def flatten(result: Any) -> list[Any]:
    """The tensors of a result, with lists and named tuples flattened."""
    if isinstance(result, (list, tuple)):
        return [tensor for item in result for tensor in flatten(item)]
    if isinstance(result, tf.Tensor):
        if result.dtype == tf.resource:
            raise NotTensors("an output is not a tensor but a resource")
        return [result]
    raise NotTensors("returns no tensor" if result is None else f"an output is not a tensor but {type(result).__name__}")


def _same_elements(first: Any, second: Any) -> bool:
    if first.dtype == tf.variant:
        return bool(second.dtype == tf.variant)
    one, two = np.asarray(first.numpy()), np.asarray(second.numpy())
    if one.shape != two.shape or one.dtype != two.dtype:
        return False
    if one.dtype.kind in "OS":
        return bool((one == two).all())
    if one.tobytes() == two.tobytes():
        return True
    return bool(np.array_equal(one, two, equal_nan=one.dtype.kind in "fc"))


class TensorFlowAdapter:
    """See judge.framework.Framework."""

    name = "tensorflow"

    def __init__(self) -> None:
        tf.config.threading.set_intra_op_parallelism_threads(1)
        tf.config.threading.set_inter_op_parallelism_threads(1)
        self.version = tf.__version__.split("-")[0]
        self._pools = Pools()
        own.functions()  # imported before there are workers

    def compile(self, api: str, args: Sequence[Json]) -> TensorFlowCall:
        """A callable form of a call."""
        return TensorFlowCall(api, args, self._pools)

    def _call(self, call: TensorFlowCall, values: Values, fill: str) -> list[Any]:
        try:
            building = Building()
            result = call.function(**call.arguments(values, fill, building))
            if call.nothing:
                result = [tf.raw_ops.ReadVariableOp(resource=handle, dtype=dtype) for handle, dtype in building.variables]
        except (MemoryError, RecursionError, tf.errors.ResourceExhaustedError) as error:
            raise Unanswered(type(error).__name__) from error
        except Exception as error:
            raise Rejected(f"{type(error).__name__}: {error}") from error
        return flatten(result)

    def run(self, call: TensorFlowCall, values: Values, fill: str) -> tuple[Output, ...]:
        """Runs a call and describes its outputs."""
        return tuple((tuple(tensor.shape), tensor.dtype.name) for tensor in self._call(call, values, fill))

    def deterministic(self, call: TensorFlowCall, values: Values) -> bool:
        """True if three runs on the same input give the same elements."""
        first = self._call(call, values, "normal")
        for _ in range(2):
            again = self._call(call, values, "normal")
            if len(again) != len(first) or not all(map(_same_elements, first, again)):
                return False
        return True


def load() -> TensorFlowAdapter:
    """See registry.load."""
    return TensorFlowAdapter()
