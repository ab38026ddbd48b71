"""Calls of raw operators that run below TensorFlow's public functions: docstring examples, and gradients of a few functions.

Each part runs in a forked child within a limit of time and writes the symbolised calls to a pipe; one that dies or hangs costs
what it had not yet written.
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

from rulefuzz import sandbox
from rulefuzz.frameworks.tensorflow_evaluate import tf
from traces.collect.call.spec import Call, Json, Literal, TensorSpec, Unsupported, of_integers
from traces.collect.call.symbolise import symbolise
from traces.collect.frameworks.tensorflow import defs as tensorflow_defs
from traces.collect.frameworks.tensorflow.probe import FIXED, MOST_GIVEN

from tensorflow.python.framework import op_callbacks  # isort: skip

SOURCE, GRADIENTS = "docstring", "gradients"
SECONDS, TOGETHER = 100, 12
"""Of a child, and docstrings that one runs."""
LARGEST = 1 << 15
"""Elements of an input beyond which a call is not kept."""
MODULES = (
    "", "audio", "bitwise", "data", "dtypes", "image", "io", "linalg", "lookup", "math", "nest", "nn", "quantization",
    "queue", "ragged", "random", "raw_ops", "sets", "signal", "sparse", "strings", "keras.layers", "keras.ops", "keras.losses",
)  # fmt: skip

EXAMPLES = (
    "tf.nn.conv2d(f(2,8,8,3), f(3,3,3,4), {s}, {p!r})", "tf.nn.conv3d(f(1,4,6,6,2), f(2,2,2,2,3), [1,{s},{s},{s},1], {p!r})",
    "tf.nn.depthwise_conv2d(f(2,8,8,3), f(3,3,3,2), [1,{s},{s},1], {p!r})", "tf.nn.conv2d_transpose(f(1,4,4,3), f(2,2,5,3), [1,8,8,5], 2, {p!r})",
    "tf.nn.conv3d_transpose(f(1,2,2,2,3), f(2,2,2,4,3), [1,4,4,4,4], 2, {p!r})", "tf.nn.avg_pool2d(f(1,6,8,2), 2, {s}, {p!r})",
    "tf.nn.avg_pool3d(f(1,4,4,6,2), 2, {s}, {p!r})", "tf.nn.max_pool2d(f(1,6,8,2), 2, {s}, {p!r})",
    "tf.nn.max_pool3d(f(1,4,4,6,2), 2, {s}, {p!r})", "tf.nn.max_pool_with_argmax(f(1,6,6,2), 2, {s}, {p!r})[0]",
    "tf.raw_ops.MaxPoolV2(input=f(1,6,6,2), ksize=[1,2,2,1], strides=[1,{s},{s},1], padding={p!r})",
    "tf.nn.dilation2d(f(1,6,6,2), f(2,2,2), [1,{s},{s},1], {p!r}, 'NHWC', [1,1,1,1])",
    "tf.nn.local_response_normalization(f(2,4,4,6))", "tf.compat.v1.nn.fused_batch_norm(f(2,4,4,3), f(3), f(3))[0]",
    "tf.raw_ops.FusedBatchNormV2(x=f(2,4,4,3), scale=f(3), offset=f(3), mean=f(0), variance=f(0))[0]",
    "tf.raw_ops.FusedBatchNorm(x=f(2,4,4,3), scale=f(3), offset=f(3), mean=f(0), variance=f(0))[0]",
    "tf.nn.fractional_avg_pool(f(1,8,8,2), [1.0,1.5,1.5,1.0], seed=1)[0]", "tf.nn.fractional_max_pool(f(1,8,8,2), [1.0,1.5,1.5,1.0], seed=1)[0]",
    "tf.image.resize(f(1,4,5,3), [6,7], 'bilinear')", "tf.image.resize(f(1,4,5,3), [6,7], 'bicubic')", "tf.image.resize(f(1,4,5,3), [6,7], 'nearest')",
    "tf.image.resize(f(1,4,5,3), [6,7], 'area')", "tf.image.resize(f(1,4,5,3), [6,7], 'lanczos3')",
    "tf.image.crop_and_resize(f(2,6,6,3), tf.constant([[0.,0.,1.,1.]]), [1], [3,4])", "tf.image.extract_patches(f(1,6,6,2), [1,2,2,1], [1,{s},{s},1], [1,1,1,1], {p!r})",
    "tf.extract_volume_patches(f(1,4,4,4,2), [1,2,2,2,1], [1,{s},{s},{s},1], {p!r})", "tf.space_to_batch(f(1,4,6,2), [2,2], [[0,0],[0,0]])",
    "tf.batch_to_space(f(4,2,3,2), [2,2], [[0,0],[0,0]])", "tf.raw_ops.BatchToSpace(input=f(4,2,3,2), crops=[[0,0],[0,0]], block_size=2)",
    "tf.raw_ops.SpaceToBatch(input=f(1,4,6,2), paddings=[[0,0],[0,0]], block_size=2)", "tf.nn.space_to_depth(f(1,4,6,2), 2)", "tf.nn.depth_to_space(f(1,4,6,8), 2)",
    "tf.pad(f(3,4), [[1,1],[2,1]], 'REFLECT')", "tf.pad(f(3,4), [[1,1],[2,1]], 'SYMMETRIC')", "tf.pad(f(3,4), [[1,1],[2,1]])",
    "tf.strided_slice(f(6,8), [1,0], [4,6], [1,2])", "tf.gather(f(5,3), [0,2,4], axis=1 - 1)", "tf.gather_nd(f(5,3), [[0,1],[2,2]])", "tf.tile(f(2,3), [2,1])",
    "tf.nn.softmax_cross_entropy_with_logits(f(3,4), f(3,4))", "tf.nn.sparse_softmax_cross_entropy_with_logits([1,0,2], f(3,4))",
    "tf.nn.ctc_loss([[1,2]], f(5,1,4), [2], [5], blank_index=0)", "tf.raw_ops.CTCLoss(inputs=f(5,1,4), labels_indices=[[0,0],[0,1]], labels_values=[1,2], sequence_length=[5])[0]",
    "tf.raw_ops.BlockLSTM(seq_len_max=np.int64(3), x=f(3,2,4), cs_prev=f(2,5), h_prev=f(2,5), w=f(9,20), wci=f(5), wcf=f(5), wco=f(5), b=f(20))[6]",
    "tf.raw_ops.BlockLSTMV2(seq_len_max=np.int64(3), x=f(3,2,4), cs_prev=f(2,5), h_prev=f(2,5), w=f(9,20), wci=f(5), wcf=f(5), wco=f(5), b=f(20))[6]",
    "tf.raw_ops.LSTMBlockCell(x=f(2,4), cs_prev=f(2,5), h_prev=f(2,5), w=f(9,20), wci=f(5), wcf=f(5), wco=f(5), b=f(20))[6]",
    "tf.raw_ops.GRUBlockCell(x=f(2,4), h_prev=f(2,5), w_ru=f(9,10), w_c=f(9,5), b_ru=f(10), b_c=f(5))[3]",
    "tf.math.segment_sum(f(5,3), [0,0,1,1,2])", "tf.sparse.segment_sum(f(5,3), [0,2,1], [0,0,1])", "tf.sparse.segment_mean(f(5,3), [0,2,1], [0,0,1])", "tf.sparse.segment_sqrt_n(f(5,3), [0,2,1], [0,0,1])",
    "tf.math.unsorted_segment_max(f(5,3), [0,0,1,1,2], 3)", "tf.sparse.sparse_dense_matmul(tf.sparse.from_dense(f(3,4)), f(4,2))", "tf.sparse.reduce_sum(tf.sparse.from_dense(f(3,4)), 1)",
    "tf.sparse.to_dense(tf.sparse.from_dense(f(3,4)))", "tf.sparse.softmax(tf.sparse.from_dense(f(3,4))).values", "tf.sparse.add(tf.sparse.from_dense(f(3,4)), tf.sparse.from_dense(f(3,4))).values",
    "tf.sparse.concat(0, [tf.sparse.from_dense(f(3,4)), tf.sparse.from_dense(f(2,4))]).values", "tf.sparse.slice(tf.sparse.from_dense(f(3,4)), [0,1], [2,2]).values",
    "tf.sparse.split(tf.sparse.from_dense(f(4,4)), 2, 0)[0].values", "tf.sparse.reshape(tf.sparse.from_dense(f(4,4)), [2,8]).values", "tf.sparse.fill_empty_rows(tf.sparse.from_dense(f(3,4)), 0.0)[0].values",
    "tf.ragged.constant([[1.,2.],[3.]]).to_tensor()", "tf.raw_ops.RaggedGather(params_nested_splits=[np.array([0,2,3])], params_dense_values=f(3), indices=[0,1], OUTPUT_RAGGED_RANK=1)[1]",
    "tf.linalg.svd(f(4,3))[0]", "tf.linalg.qr(f(4,3))[0]", "tf.linalg.eigh(f(2,4,4))[0]", "tf.linalg.cholesky(tf.eye(4))", "tf.linalg.solve(f(4,4), f(4,2))", "tf.linalg.lstsq(f(4,3), f(4,2))",
    "tf.linalg.triangular_solve(f(4,4), f(4,2))", "tf.linalg.tridiagonal_solve(f(3,5), f(5,2))", "tf.linalg.tridiagonal_matmul((f(5), f(5), f(5)), f(5,2), 'sequence')", "tf.linalg.banded_triangular_solve(f(2,4), f(4,3))",
    "tf.einsum('ijk,kl->ijl', f(2,3,4), f(4,5))", "tf.quantization.fake_quant_with_min_max_vars(f(2,3), -1.0, 1.0)", "tf.quantization.fake_quant_with_min_max_vars_per_channel(f(2,3), f(3)*0-1, f(3)*0+1)",
    "tf.quantization.quantize_and_dequantize_v2(f(2,3), -1.0, 1.0, range_given=True)", "tf.signal.stft(f(64), 16, 8)", "tf.signal.irfft2d(tf.complex(f(4,5), f(4,5)))", "tf.signal.rfft3d(f(4,4,4))",
    "tf.raw_ops.ScaleAndTranslate(images=f(1,4,4,3), size=[6,6], scale=[1.5,1.5], translation=[0.,0.])", "tf.raw_ops.ImageProjectiveTransformV3(images=f(1,4,4,3), transforms=f(1,8), output_shape=[4,4], fill_value=0.0, interpolation='BILINEAR')",
    "tf.roll(f(3,4), 1, 0)", "tf.reverse_sequence(f(3,4,2), [2,3,1], 1, 0)", "tf.cumsum(f(3,4), 1)", "tf.dynamic_stitch([[0,2],[1]], [f(2,3), f(1,3)])", "tf.dynamic_partition(f(4,2), [0,1,0,1], 2)[0]",
    "tf.image.adjust_hue(f(2,4,4,3), 0.1)", "tf.image.adjust_saturation(f(2,4,4,3), 0.5)", "tf.image.draw_bounding_boxes(f(1,6,6,3), [[[0.1,0.1,0.9,0.9]]], f(1,3))", "tf.image.extract_glimpse(f(1,8,8,3), [3,3], [[0.0,0.0]])",
    "tf.nn.top_k(f(3,6), 2)[0]", "tf.linalg.band_part(f(4,4), 1, 1)", "tf.linalg.diag(f(2,3), k=1)", "tf.linalg.diag_part(f(4,4), k=(-1,1))", "tf.linalg.set_diag(f(4,4), f(4))", "tf.tensor_scatter_nd_update(f(5,2), [[1],[3]], f(2,2))",
    "tf.scatter_nd([[1],[3]], f(2,2), [5,2])", "tf.split(f(4,6), [2,4], 1)[0]", "tf.unstack(f(3,4))[0]", "tf.concat([f(2,3), f(2,4)], 1)", "tf.repeat(f(3), 2)", "tf.one_hot([1,2], 4)", "tf.histogram_fixed_width(f(9), [0.,1.], 5)",
    "tf.audio.encode_wav(f(8,1), 100)", "tf.raw_ops.AudioSpectrogram(input=f(32,1), window_size=8, stride=4)", "tf.raw_ops.Mfcc(spectrogram=f(1,5,9), sample_rate=100)", "tf.io.encode_png(tf.cast(f(4,4,3), tf.uint8))", "tf.io.encode_jpeg(tf.cast(f(4,4,3), tf.uint8))",
)  # fmt: skip
"""Calls whose forms below and whose gradients are hard to find by chance; f(…) is a float tensor of those dimensions."""


class Recorder:
    """Symbolises what op_callbacks tells."""

    def __init__(self, keep: Callable[[Call], None], source: str) -> None:
        self._keep, self._source = keep, source
        self._definitions: dict[str, tensorflow_defs.Definition | None] = {}

    def _definition(self, name: str) -> tensorflow_defs.Definition | None:
        if name not in self._definitions:
            known = hasattr(tf.raw_ops, name) and tensorflow_defs.obstacle(name) is None
            self._definitions[name] = tensorflow_defs.define(name) if known else None
        return self._definitions[name]

    def __call__(self, op_type: Any, inputs: Any, attrs: Any, outputs: Any, op_name: Any = None, graph: Any = None) -> None:
        """The callback; TensorFlow goes on with its own outputs."""
        if graph is not None or not outputs:
            return
        name = op_type.decode() if isinstance(op_type, bytes) else op_type
        definition = self._definition(name)
        if definition is None:
            return
        try:
            told = {(k.decode() if isinstance(k, bytes) else k): v for k, v in zip(attrs[::2], attrs[1::2], strict=True)}
            call = symbolise(f"tf.raw_ops.{name}", _arguments(definition, list(inputs), told), FIXED)
        except (Unsupported, ValueError, TypeError, IndexError, AttributeError):
            return
        call.source = self._source
        self._keep(call)


def _arguments(definition: tensorflow_defs.Definition, inputs: list[Any], told: dict[str, Any]) -> list[tuple[str, bool, Any]]:
    flat = [tensor for item in inputs for tensor in (item if isinstance(item, (list, tuple)) else [item])]
    out: list[tuple[str, bool, Any]] = []
    for spec in definition.inputs:
        if spec.number_attr or spec.type_list_attr:
            count = told[spec.number_attr] if spec.number_attr else len(told[spec.type_list_attr])
            out.append((spec.name, False, [_spec(flat.pop(0)) for _ in range(count)]))
        else:
            out.append((spec.name, False, _spec(flat.pop(0))))
    for attr in definition.attributes:
        if attr.given:
            value = _attribute(attr.kind, told[attr.name]) if attr.name in told else attr.default
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


# --- what is run ----------------------------------------------------------------------------------------------------


def _documented() -> Iterator[tuple[str, str]]:
    """(name, docstring) of the public functions and classes that have examples."""
    seen = set()
    for module in MODULES:
        place: Any = tf
        try:
            for part in filter(None, module.split(".")):
                place = getattr(place, part)
            names = sorted(dir(place))
        except Exception:  # a part of TensorFlow that is not installed
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
    """The arguments in Python's own types: TensorFlow's do not outlive it."""
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
    """All calls, in the order in which they were run."""
    texts = [text for _, text in _documented()]
    groups = [texts[i : i + TOGETHER] for i in range(0, len(texts), TOGETHER)]
    calls: list[Call] = []
    for done, group in enumerate(groups):
        report(done, len(groups))
        calls += _apart(group, SOURCE, _run_docstring)
    for start in range(0, len(EXAMPLES), TOGETHER):
        calls += _apart(EXAMPLES[start : start + TOGETHER], GRADIENTS, _run_example)
    return calls
