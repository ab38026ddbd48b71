"""JAX: the reference calls its functions one by one, each compiled alone. (Without jit, primitive by primitive, it takes
four times as long, and six times as long as compiling the model.)

JAX has 64-bit types only if enabled, which is done for calls that use them: those of the run in 64 bits. Its threads start
with the first call, and a child forked later has none, so nothing is called before `enter`.
"""

from __future__ import annotations

import os
import platform
from collections.abc import Callable, Sequence
from typing import Any

os.environ.setdefault("JAX_PLATFORMS", "cpu")

import jax

from rulefuzz import arrays, own
from rulefuzz.elements import elements
from rulefuzz.framework import Framework, Script, Seen, Short
from rulefuzz.frameworks.short import jax as jax_short
from rulefuzz.model import BadModel, Json, Model, Node, Tensor, Values
from rulefuzz.script import source, spell

import numpy as np  # isort: skip

DIALECT = source.Dialect("jax", "jax.numpy.copy({})", "jax.numpy.array", constant="jax.numpy.copy({})", tuples=True)
DTYPES = frozenset(
    "bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 bfloat16 float32 float64 complex64 complex128".split()
)
WIDER = {"float16": "float64", "bfloat16": "float64", "float32": "float64", "complex64": "complex128"}
WIDE = frozenset({"float64", "complex128"})
IMPORTS = """os.environ.setdefault("JAX_PLATFORMS", "cpu")
import jax
import jax.numpy
"""


# ---- copied into scripts


def make_input(shape: Any, dtype: Any, seed: Any, kind: Any = "small", span: Any = None) -> Any:
    """An array of these elements."""
    return jax.numpy.asarray(elements(shape, dtype, seed, kind, span).astype(jax.numpy.dtype(dtype)))


def seen(tensor: Any) -> Any:
    """A result as it is compared: layout, shape, dtype, and elements in the widest type of their kind."""
    if not isinstance(tensor, jax.Array):
        return type(tensor).__name__, (), "", None
    array, dtype = np.asarray(tensor), tensor.dtype.name
    if "float" in dtype or "complex" in dtype:
        array = array.astype(np.complex128 if "complex" in dtype else np.float64)
    return "", tuple(tensor.shape), dtype, array


def fresh(inputs: Any) -> Any:
    """The inputs; no call can write to them."""
    return list(inputs)


def reference(model: Any, inputs: Any) -> Any:
    """The model's results, call by call."""
    return model(*inputs)


# ---- the adapter


def argument(items: list[Any]) -> Any:
    """A list as JAX takes it: a tuple, unless it holds arrays. Many functions hash their numbers, and lists have no hash."""
    arrays = any(isinstance(item, (list, jax.Array, jax.ShapeDtypeStruct)) for item in items)
    return items if arrays else tuple(items)


class Jax(Framework):
    """See Framework."""

    name = "jax"
    reference = "jax"
    own_paths = ("/jax/", "/jaxlib/")
    memory = (*Framework.memory, "RESOURCE_EXHAUSTED")

    # ---- names

    def resolve(self, api: str) -> Any:
        """See Framework."""
        if api in own.functions():
            return own.functions()[api]
        first, *parts = api.split(".")
        value: Any = jax
        for part in parts:
            value = getattr(value, part, None)
        if first != "jax" or not callable(value):
            raise BadModel(f"not a function of JAX {jax.__version__}: {api!r}")
        return value

    def has_dtype(self, name: str) -> bool:
        """See Framework."""
        return name in DTYPES

    # ---- life

    def versions(self) -> dict[str, str]:
        """See Framework."""
        return {"python": platform.python_version(), "jax": jax.__version__}

    def enter(self) -> None:
        """See Framework."""
        np.seterr(all="ignore")

    def reseed(self, seed: int) -> None:
        """See Framework. JAX's calls are given their keys."""

    # ---- tensors

    def tensor(self, array: Any, dtype: str) -> Any:
        """See Framework."""
        return jax.numpy.asarray(np.asarray(array).astype(jax.numpy.dtype(dtype)))

    def elements(self, items: Any, dtype: str) -> Any:
        """See Framework."""
        return self.tensor(np.array(items), dtype)

    # ---- calls

    def call(self, node: Node, values: Values) -> Any:
        """See Framework."""
        wide = any(values[i].dtype.name in WIDE for i in node.refs())
        with jax.enable_x64(wide):
            return super().call(node, values)

    def build(self, value: Any, values: Values) -> Any:
        """See Framework."""
        built = super().build(value, values)
        return argument(built) if isinstance(value, list) else built

    def is_tensor(self, value: Any) -> bool:
        """See Framework."""
        return isinstance(value, jax.Array)

    # ---- looking

    def describe(self, tensor: Any) -> tuple[tuple[int, ...], str]:
        """See Framework."""
        return tuple(tensor.shape), tensor.dtype.name

    def finite(self, tensor: Any) -> bool:
        """See Framework."""
        return not arrays.is_float(tensor.dtype.name) or bool(np.isfinite(seen(tensor)[3]).all())

    def extent(self, tensor: Any) -> tuple[bool, Any, Any]:
        """See Framework."""
        return arrays.extent(seen(tensor)[3])

    # ---- the oracle's

    def seen(self, tensor: Any) -> Seen:
        """See Framework."""
        return seen(tensor)  # type: ignore[no-any-return]

    def shaker(self, seed: int, lean: float = 0.0) -> Callable[[Any], Any]:
        """See Framework."""
        shake = arrays.shaker(seed, lean)
        return lambda tensor: self.narrowed(shake(np.asarray(tensor), tensor.dtype.name), tensor.dtype.name)

    def widened(self, tensor: Any) -> Any:
        """See Framework."""
        return self.narrowed(tensor, WIDER.get(tensor.dtype.name, tensor.dtype.name))

    def narrowed(self, tensor: Any, dtype: str) -> Any:
        """See Framework."""
        with jax.enable_x64(dtype in WIDE):
            return jax.numpy.asarray(np.asarray(tensor).astype(jax.numpy.dtype(dtype)))

    # ---- targets

    def subject(self, model: Model, results: Sequence[Any], outputs: Sequence[int]) -> Any:
        """See Framework: a Python function."""
        text = source.source(model, DIALECT, self.is_tensor, results, outputs)
        return source.function(text, DIALECT, jax, self.constants(model))

    def warm_up(self) -> Json:
        """See Framework."""

        def tensor(i: int) -> Json:
            return {"id": i, "shape": [2, 3], "dtype": "float32"}

        def taking(*refs: int) -> Json:
            return [{"name": name, "pos": True, "value": {"ref": ref}} for name, ref in zip("xy", refs, strict=False)]

        nodes = [
            {"api": "jax.numpy.add", "args": taking(0, 0), "outputs": [tensor(1)]},
            {"api": "jax.nn.softmax", "args": taking(1), "outputs": [tensor(2)]},
        ]
        return {"inputs": [tensor(0)], "nodes": nodes, "outputs": [2]}

    def script(self, model: Model, results: Sequence[Any]) -> Script:
        """See Framework."""
        text = source.source(model, DIALECT, self.is_tensor, results, model.outputs)
        return Script.plain(IMPORTS, text, (make_input, seen, fresh, reference), model)

    def short(self, model: Model, results: Sequence[Any], said: dict[int, str], compared: str, limits: tuple[float, float],
              writes: bool) -> Short:  # fmt: skip
        """See Framework."""
        text = source.source(model, DIALECT, self.is_tensor, results, model.outputs)
        return jax_short.short(model, text, said, compared, limits, writes)

    def spelled(self, tensor: Tensor, values: int, how: str) -> str:
        """See Framework."""
        return jax_short.spelled(tensor, values, how)

    def evaluated(self, text: str) -> Any:
        """See Framework."""
        return spell.evaluated(text, {"jax": jax})


def load() -> Jax:
    """The adapter."""
    return Jax()
