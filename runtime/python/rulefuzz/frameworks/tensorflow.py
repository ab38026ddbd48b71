"""TensorFlow: the reference calls its raw operators one by one with keyword arguments, on tensors, since numpy arrays would
be converted to whatever dtype the operator expects.

Its threads start with the first call, and a child forked later has none, so nothing is called before `enter`.
"""

from __future__ import annotations

import functools
import platform
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from rulefuzz import arrays, own
from rulefuzz.elements import elements
from rulefuzz.framework import Framework, Script, Seen, Short
from rulefuzz.frameworks.short import tensorflow as tensorflow_short
from rulefuzz.frameworks.tensorflow_evaluate import QUANTIZED, constant, tf  # first of all, since it sets switches
from rulefuzz.model import BadModel, Const, Elements, Json, Model, Node, Raised, Ref, Tensor, Values, at_work, literal
from rulefuzz.script import source, spell

import numpy as np  # isort: skip
from tensorflow.python.framework import op_def_registry  # isort: skip

DIALECT = source.Dialect("tf", "tf.raw_ops.DeepCopy(x={})", "tf.constant", constant="tf.constant({}.numpy())")
WIDER = {"float16": "float64", "bfloat16": "float64", "float32": "float64", "complex64": "complex128"}
IMPORTS = """os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
os.environ.setdefault("TF_ENABLE_ONEDNN_OPTS", "0")  # as the rules were learned
import tensorflow as tf
"""


# ---- copied into scripts


def make_input(shape: Any, dtype: Any, seed: Any, kind: Any = "small", span: Any = None) -> Any:
    """A tensor of these elements."""
    array = elements(shape, dtype, seed, kind, span)
    return tf.constant(array if dtype == "string" else array.astype(tf.as_dtype(dtype).as_numpy_dtype))


def seen(tensor: Any) -> Any:
    """A result as it is compared: layout, shape, dtype, and elements in the widest type of their kind."""
    if not isinstance(tensor, tf.Tensor) or tensor.dtype in (tf.variant, tf.resource):
        return type(tensor).__name__, (), "", None
    array, dtype = np.asarray(tensor.numpy()), tensor.dtype.name
    if tensor.dtype.is_complex or tensor.dtype.is_floating:
        array = array.astype(np.complex128 if tensor.dtype.is_complex else np.float64)
    return "", tuple(tensor.shape), dtype, array


def fresh(inputs: Any) -> Any:
    """Copies of the inputs, since a call may write to them."""
    return [tf.raw_ops.DeepCopy(x=tensor) for tensor in inputs]


def reference(model: Any, inputs: Any) -> Any:
    """The model's results in eager mode."""
    return model(*inputs)


# ---- the adapter


class TensorFlow(Framework):
    """See Framework."""

    name = "tensorflow"
    reference = "tensorflow"
    wraps = True
    unsupported_types = frozenset({"NotImplementedError", "UnimplementedError"})
    own_paths = ("/tensorflow/",)

    def __init__(self) -> None:
        super().__init__()
        tf.config.threading.set_intra_op_parallelism_threads(1)
        tf.config.threading.set_inter_op_parallelism_threads(1)

    # ---- names

    def resolve(self, api: str) -> Any:
        """See Framework."""
        if api in own.functions():
            return own.functions()[api]
        prefix, _, name = api.rpartition(".")
        if prefix != "tf.raw_ops" or not hasattr(tf.raw_ops, name):
            raise BadModel(f"not a raw operator of TensorFlow {tf.__version__}: {api!r}")
        return getattr(tf.raw_ops, name)

    def constant(self, text: str) -> Const:
        """See Framework."""
        if not text.startswith("tf."):
            return literal(text)
        if isinstance(getattr(tf, text.removeprefix("tf."), None), tf.DType):
            return Const(constant(text), text)
        raise BadModel(f"not a constant of TensorFlow: {text!r}")

    def has_dtype(self, name: str) -> bool:
        """See Framework."""
        return isinstance(getattr(tf, name, None), tf.DType)

    # ---- life

    def versions(self) -> dict[str, str]:
        """See Framework."""
        return {"python": platform.python_version(), "tensorflow": tf.__version__}

    def enter(self) -> None:
        """See Framework."""
        np.seterr(all="ignore")
        self.reseed(0)

    def reseed(self, seed: int) -> None:
        """See Framework."""
        tf.random.set_seed(seed)

    # ---- tensors

    def tensor(self, array: Any, dtype: str) -> Any:
        """See Framework."""
        made = tf.constant(array if dtype == "string" else array.astype(_numpy(dtype)))
        return tf.raw_ops.Bitcast(input=made, type=getattr(tf, dtype)) if dtype in QUANTIZED else made

    def elements(self, items: Any, dtype: str) -> Any:
        """See Framework."""
        return tf.constant(np.array(items, _numpy(dtype)))

    def plain(self, tensor: Any) -> Any:
        """See Framework. tf.identity would share memory."""
        return tf.raw_ops.DeepCopy(x=tensor)

    def copy(self, tensor: Any) -> Any:
        """See Framework."""
        return tf.raw_ops.DeepCopy(x=tensor)

    def is_tensor(self, value: Any) -> bool:
        """See Framework."""
        return isinstance(value, tf.Tensor)

    # ---- looking

    def describe(self, tensor: Any) -> tuple[tuple[int, ...], str]:
        """See Framework."""
        return tuple(tensor.shape), tensor.dtype.name

    def finite(self, tensor: Any) -> bool:
        """See Framework."""
        kind = tensor.dtype
        return bool(np.isfinite(tensor.numpy()).all()) if kind.is_floating or kind.is_complex else True

    def extent(self, tensor: Any) -> tuple[bool, Any, Any]:
        """See Framework."""
        if tensor.dtype in (tf.string, tf.variant, tf.resource):
            return True, None, None
        return arrays.extent(tensor.numpy())

    # ---- the oracle's

    def seen(self, tensor: Any) -> Seen:
        """See Framework."""
        return seen(tensor)  # type: ignore[no-any-return]

    def in_floats(self, node: Node, values: Values) -> list[Any] | None:
        """See Framework. Widens operands that have the type of a result, if that is one of several."""
        definition = op_def_registry.get(node.api.rpartition(".")[2])
        if definition is None or node.random or any(values[i].dtype in (tf.variant, tf.resource) for i in node.refs()):
            return None
        made = {arg.type_attr for arg in definition.output_arg if arg.type_attr}
        names = {arg.name for arg in definition.input_arg if arg.type_attr in made}
        wide, args = dict(values), []
        for arg in node.args:
            items = arg.value if isinstance(arg.value, list) else [arg.value]
            if arg.name in names:
                wide |= {i.id: tf.cast(values[i.id], tf.float64) for i in items if isinstance(i, Ref)}
                items = [Elements(i.value, "float64") if isinstance(i, Elements) else i for i in items]
            args.append(replace(arg, value=items if isinstance(arg.value, list) else items[0]))
        try:
            return self.tensors_of(at_work(self.call, replace(node, args=tuple(args)), wide)) if names else None
        except Raised:  # an integer-only call
            return None

    def shaker(self, seed: int, lean: float = 0.0) -> Callable[[Any], Any]:
        """See Framework."""
        shake = arrays.shaker(seed, lean)
        return lambda tensor: tf.constant(shake(tensor.numpy(), tensor.dtype.name)) if _is_float(tensor) else tensor

    def widened(self, tensor: Any) -> Any:
        """See Framework."""
        return tf.cast(tensor, WIDER[tensor.dtype.name]) if tensor.dtype.name in WIDER else self.copy(tensor)

    def widened_constant(self, name: str, value: Any) -> Any:
        """See Framework."""
        if isinstance(value, Const) and isinstance(value.value, tf.DType) and value.value.name in WIDER:
            return self.constant(f"tf.{WIDER[value.value.name]}")
        return value

    def narrowed(self, tensor: Any, dtype: str) -> Any:
        """See Framework."""
        return tf.cast(tensor, dtype) if tensor.dtype.name != dtype else tensor

    # ---- targets

    def subject(self, model: Model, results: Sequence[Any], outputs: Sequence[int]) -> Any:
        """See Framework: a Python function."""
        text = source.source(model, DIALECT, self.is_tensor, results, outputs)
        return source.function(text, DIALECT, tf, self.constants(model))

    def warm_up(self) -> Json:
        """See Framework."""

        def tensor(i: int) -> Json:
            return {"id": i, "shape": [2, 3], "dtype": "float32"}

        def named(**refs: int) -> Json:
            return [{"name": name, "pos": False, "value": {"ref": ref}} for name, ref in refs.items()]

        nodes = [
            {"api": "tf.raw_ops.AddV2", "args": named(x=0, y=0), "outputs": [tensor(1)]},
            {"api": "tf.raw_ops.Exp", "args": named(x=1), "outputs": [tensor(2)]},
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
        return tensorflow_short.short(model, text, said, compared, limits, writes)

    def spelled(self, tensor: Tensor, values: int, how: str) -> str:
        """See Framework."""
        return tensorflow_short.spelled(tensor, values, how)

    def evaluated(self, text: str) -> Any:
        """See Framework."""
        return spell.evaluated(text, {"tf": tf})


def _is_float(tensor: Any) -> bool:
    return bool(tensor.dtype.is_floating or tensor.dtype.is_complex)


@functools.lru_cache(64)
def _numpy(dtype: str) -> Any:
    return tf.as_dtype(QUANTIZED.get(dtype, dtype)).as_numpy_dtype


def load() -> TensorFlow:
    """The adapter."""
    return TensorFlow()
