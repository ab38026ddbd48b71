"""Records the raw operators that TensorFlow's public functions call: in docstring examples, and in gradients of a few
functions.

Each part runs in a forked child with a time limit and writes the symbolized calls to a pipe. If a child dies or hangs,
only the calls not yet written are lost.
"""

from __future__ import annotations

import contextlib
import doctest
import io
import json
import types
import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import tensorflow as tf
from tensorflow.python.framework import op_callbacks

from rulefuzz import sandbox
from traces.collect.call.spec import Call, Json, Literal, TensorSpec, Unsupported, of_integers
from traces.collect.call.symbolise import symbolise
from traces.collect.frameworks.tensorflow import defs as tensorflow_defs
from traces.collect.frameworks.tensorflow.examples import EXAMPLES
from traces.collect.frameworks.tensorflow.maker import MOST_GIVEN
from traces.collect.frameworks.tensorflow.probe import FIXED

SOURCE, GRADIENTS = "docstring", "gradients"
SECONDS, TOGETHER = 100, 12
"""Seconds per child, and docstrings per child."""
LARGEST = 1 << 15
"""Calls with larger inputs are dropped."""
MODULES = (
    "", "audio", "bitwise", "data", "dtypes", "image", "io", "linalg", "lookup", "math", "nest", "nn", "quantization",
    "queue", "ragged", "random", "raw_ops", "sets", "signal", "sparse", "strings", "keras.layers", "keras.ops", "keras.losses",
)  # fmt: skip


class Recorder:
    """Symbolizes the calls that op_callbacks reports."""

    def __init__(self, keep: Callable[[Call], None], source: str) -> None:
        self._keep, self._source = keep, source
        self._definitions: dict[str, tensorflow_defs.Definition | None] = {}

    def _definition(self, name: str) -> tensorflow_defs.Definition | None:
        if name not in self._definitions:
            known = hasattr(tf.raw_ops, name) and tensorflow_defs.obstacle(name) is None
            self._definitions[name] = tensorflow_defs.define(name) if known else None
        return self._definitions[name]

    def __call__(self, op_type: Any, inputs: Any, attrs: Any, outputs: Any, op_name: Any = None, graph: Any = None) -> None:
        """The callback; it does not change TensorFlow's outputs."""
        if graph is not None or not outputs:
            return
        name = op_type.decode() if isinstance(op_type, bytes) else op_type
        definition = self._definition(name)
        if definition is None:
            return
        try:
            told = {(k.decode() if isinstance(k, bytes) else k): v for k, v in zip(attrs[::2], attrs[1::2], strict=True)}
            call = symbolise(f"tf.raw_ops.{name}", arguments(definition, list(inputs), told, _spec), FIXED)
        except (Unsupported, ValueError, TypeError, IndexError, AttributeError):
            return
        call.source = self._source
        self._keep(call)


def arguments(
    definition: tensorflow_defs.Definition, inputs: list[Any], told: dict[str, Any], described: Callable[[Any], Any]
) -> list[tuple[str, bool, Any]]:
    """The arguments of a call in the order of its definition: name, whether by position, value. Tensors are described."""
    flat = [tensor for item in inputs for tensor in (item if isinstance(item, (list, tuple)) else [item])]
    out: list[tuple[str, bool, Any]] = []
    for spec in definition.inputs:
        if spec.number_attr or spec.type_list_attr:
            count = told[spec.number_attr] if spec.number_attr else len(told[spec.type_list_attr])
            out.append((spec.name, False, [described(flat.pop(0)) for _ in range(count)]))
        else:
            out.append((spec.name, False, described(flat.pop(0))))
    for attr in definition.attributes:
        if attr.given:
            value = attr.default if told.get(attr.name) is None else _attribute(attr.kind, told[attr.name])
            out.append((attr.name, False, value))
    return out


def _spec(tensor: Any) -> TensorSpec:
    if not isinstance(tensor, tf.Tensor) or tensor.dtype in (tf.resource, tf.variant):
        raise Unsupported("not a tensor")
    dims = tuple(tensor.shape)
    count = int(np.prod(dims, dtype=np.int64))
    if count > LARGEST:
        raise Unsupported("too large")
    if tensor.dtype in (tf.int32, tf.int64):
        return of_integers(dims, tensor.dtype.name, np.asarray(tensor.numpy()), MOST_GIVEN)
    return TensorSpec(dims, tensor.dtype.name)


def _attribute(kind: str, value: Any) -> Any:
    if kind.startswith("list("):
        return [_attribute(kind[5:-1], item) for item in value]
    if kind == "type":
        return Literal(f"tf.{tf.as_dtype(value).name}")
    if kind == "shape":
        shape = tf.TensorShape(value)
        return None if shape.rank is None else [-1 if dim is None else dim for dim in shape]
    if kind == "string":
        return value.decode() if isinstance(value, bytes) else str(value)
    return {"int": int, "float": float, "bool": bool}[kind](value)


# --- the code to run ------------------------------------------------------------------------------------------------


def _documented() -> Iterator[tuple[str, str]]:
    """(name, docstring) of the public functions and classes with examples."""
    seen = set()
    for module in MODULES:
        place: Any = tf
        try:
            for part in filter(None, module.split(".")):
                place = getattr(place, part)
            names = sorted(dir(place))
        except Exception:  # an optional part that is not installed
            continue
        for name in names:
            try:
                value = getattr(place, name)
            except Exception:  # as above
                continue
            if name.startswith("_") or isinstance(value, types.ModuleType) or not callable(value):
                continue
            text = value.__doc__ if isinstance(value.__doc__, str) else ""
            if ">>>" in text and text not in seen:
                seen.add(text)
                yield f"{module}.{name}", text


def _run_docstring(text: str) -> None:
    scope = {"tf": tf, "np": np, "keras": getattr(tf, "keras", None)}
    try:
        examples = doctest.DocTestParser().get_examples(text)
    except ValueError:
        return
    for example in examples:
        with contextlib.suppress(Exception), contextlib.redirect_stdout(io.StringIO()):
            exec(compile(example.source, "<docstring>", "single"), scope)  # TensorFlow's own documentation


def _run_example(text: str) -> None:
    """An example and its gradients with respect to its float tensors."""
    for stride in (1, 2):
        for padding in ("SAME", "VALID"):
            made: list[Any] = []

            def floats(*dims: int, made: list[Any] = made) -> Any:
                made.append(tf.constant(np.random.Generator(np.random.PCG64(len(made))).random(dims, np.float32)))
                tape.watch(made[-1])
                return made[-1]

            with contextlib.suppress(Exception):
                with tf.GradientTape(persistent=True) as outer, tf.GradientTape(persistent=True) as tape:
                    value = eval(text.format(s=stride, p=padding), {"tf": tf, "np": np, "f": floats})  # the examples above
                with outer:
                    for tensor in made:
                        outer.watch(tensor)
                    gradients = tape.gradient(value, made)
                for gradient in gradients:
                    if gradient is not None:
                        with contextlib.suppress(Exception):
                            outer.gradient(gradient, made)
            if "{" not in text:
                return


def _child(parts: Sequence[str], source: str, run: Callable[[str], None], inside: sandbox.Inside) -> None:
    warnings.simplefilter("ignore")
    tf.random.set_seed(1)
    op_callbacks.add_op_callback(Recorder(lambda call: inside.tell(replace(call, args=_plain(call.args))), source))
    for part in parts:
        run(part)


def _plain(args: list[Json]) -> list[Json]:
    """The arguments as plain Python types: TensorFlow's objects do not outlive the child."""
    plain: list[Json] = json.loads(json.dumps(args))
    return plain


def _apart(parts: Sequence[str], source: str, run: Callable[[str], None]) -> list[Call]:
    """The calls recorded while a child runs the parts."""
    child = sandbox.Child.start(partial(_child, parts, source, run), sandbox.Limits(wall=SECONDS), sandbox.SILENT)
    calls: list[Call] = []
    while not child.over:
        calls += child.take(sandbox.TICK)
        child.watch()
    child.end()
    child.journal.close()
    return calls


def record(report: Callable[[int, int], None]) -> list[Call]:
    """All calls, in execution order."""
    texts = [text for _, text in _documented()]
    groups = [texts[i : i + TOGETHER] for i in range(0, len(texts), TOGETHER)]
    calls: list[Call] = []
    for done, group in enumerate(groups):
        report(done, len(groups))
        calls += _apart(group, SOURCE, _run_docstring)
    for start in range(0, len(EXAMPLES), TOGETHER):
        calls += _apart(EXAMPLES[start : start + TOGETHER], GRADIENTS, _run_example)
    return calls
