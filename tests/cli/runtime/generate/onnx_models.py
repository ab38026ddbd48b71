"""Checks the ONNX files of a folder with onnx, runs them with onnxruntime and compares the outputs' shapes.

Each model runs with the elements of docs/reference/file-formats.md; then, if it accepted these, it must run with any
elements of the inputs' declared types: all bits at random, all zeros, and the ends, with NaN and infinities among floats. The
tensors that are no inputs must have the elements that docs/reference/file-formats.md says.

Prints a line for each rejected file, and a line of totals. Exit code 1 if there are more than ALLOWED, if a model rejects
other elements or has other tensors than it should, or if no file has a pinned tensor.
usage: onnx_models.py FOLDER [ALLOWED]
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import onnx
import onnxruntime
from onnx import checker, helper

from rulefuzz import elements, sandbox
from rulefuzz.frameworks.onnx_arrays import is_packed, packed, value_of

NO_KERNEL = "Could not find an implementation"
OVERFLOW = "narrowing_error"
"""How onnxruntime fails if cubic interpolation of the ends of an integer type leaves this type."""


def options() -> onnxruntime.SessionOptions:
    """One thread, no optimisation, silence."""
    made = onnxruntime.SessionOptions()
    made.log_severity_level = 4
    made.intra_op_num_threads = made.inter_op_num_threads = 1
    made.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    return made


def dims(info: onnx.ValueInfoProto) -> tuple[int, ...]:
    """A tensor's shape; a dimension without a value would raise."""
    found = info.type.tensor_type.shape.dim
    assert all(dim.HasField("dim_value") for dim in found)
    return tuple(dim.dim_value for dim in found)


def described(name: str, note: str, shape: tuple[int, ...], number: int, values: int) -> np.ndarray:
    """A tensor's elements, as docs/reference/file-formats.md says."""
    kind, span = "small", None
    for word in note.split():
        key, _, text = word.partition("=")
        kind = text if key == "values" else kind
        span = [int(part) for part in text.split(",")] if key == "range" else span
    target = np.dtype(helper.tensor_dtype_to_np_dtype(number))
    return elements.elements(shape, target.name, elements.seed_of(values, int(name[1:])), kind, span).astype(target)


def anything(shape: tuple[int, ...], number: int, how: int) -> np.ndarray:
    """Elements of a type, whatever they are."""
    target = np.dtype(helper.tensor_dtype_to_np_dtype(number))
    rng = np.random.default_rng(how)
    if how == 1:
        return np.zeros(shape, target)
    if is_packed(target):
        return rng.choice(np.array([-8, 7, 0, 1], np.int8), shape).astype(target)
    if target == np.bool_:
        return rng.integers(0, 2, shape).astype(bool)
    if how == 0:
        count = int(np.prod(shape, dtype=np.int64))
        return np.frombuffer(rng.bytes(count * target.itemsize), target).reshape(shape)
    floats = [np.nan, np.inf, -np.inf, 0.0, -0.0, -3.5]
    ends = [np.iinfo(target).min, np.iinfo(target).max, 0, 1] if target.kind in "iu" else floats
    return rng.choice(np.array(ends, target), shape)


def fed(array: np.ndarray, number: int) -> onnxruntime.OrtValue:
    """The same for onnxruntime."""
    if is_packed(array.dtype):
        return value_of(array, number)
    if array.dtype.kind == "V" or number == onnx.TensorProto.BFLOAT16:
        return onnxruntime.OrtValue.ortvalue_from_numpy_with_onnx_type(array.view(np.uint16), number)
    return onnxruntime.OrtValue.ortvalue_from_numpy(array)


def pinned(model: onnx.ModelProto, values: int) -> tuple[int, str]:
    """How many tensors of the model are inputs that keep their elements, and one with others than it should have."""
    count, wrong = 0, ""
    for tensor in model.graph.initializer:
        if not tensor.name.startswith("t"):
            continue
        count += 1
        want = described(tensor.name, tensor.doc_string, tuple(tensor.dims), tensor.data_type, values)
        if (packed(want) if is_packed(want.dtype) else want).tobytes() != tensor.raw_data:
            wrong = tensor.name
    return count, wrong


def rejection(path: Path, run_options: onnxruntime.SessionOptions) -> str:
    """Why a model is rejected: "" if it is not, "-" if onnxruntime has no kernel for a node; after "!" a failure that must
    never happen. A "+" in front: it has pinned tensors."""
    model = onnx.load(path)
    try:
        checker.check_model(model, full_check=True)
        data = model.SerializeToString()
        session = onnxruntime.InferenceSession(data, run_options, providers=["CPUExecutionProvider"])
        values = int(next(p.value for p in model.metadata_props if p.key == "values"))
        count, other = pinned(model, values)
        if other:
            return f"!{other} has other elements"
        names = [info.name for info in model.graph.output]
        known = {tensor.name for tensor in model.graph.initializer}  # inputs, too, before IR version 4
        inputs = [info for info in model.graph.input if info.name not in known]
        types = {info.name: (dims(info), info.type.tensor_type.elem_type) for info in inputs}
        notes = {info.name: info.doc_string for info in inputs}
        told = {name: fed(described(name, notes[name], *types[name], values), types[name][1]) for name in types}
        outputs = session.run_with_ort_values(names, told)
    except Exception as error:
        return "-" if NO_KERNEL in str(error) else f"{type(error).__name__}: {error}".replace("\n", " ")[:300]
    for info, got in zip(model.graph.output, outputs, strict=True):
        if tuple(got.shape()) != dims(info):
            return f"{info.name}: shape {got.shape()} instead of {dims(info)}"
    for how in range(3):
        try:
            session.run_with_ort_values(names, {name: fed(anything(*types[name], how), types[name][1]) for name in types})
        except Exception as error:
            if OVERFLOW in str(error):
                continue
            return f"!with other elements ({how}): {error}".replace("\n", " ")[:300]
    return "+" if count else ""


def answers(paths: list[Path]) -> Iterator[tuple[Path, str]]:
    """The models' answers; a child has many of them, since a model can end its process."""

    def work(inside: sandbox.Inside) -> None:
        run_options = options()
        for path in paths[start:]:
            inside.tell(rejection(path, run_options))

    start = 0
    while start < len(paths):
        child = sandbox.Child.start(work, output=sandbox.SILENT)
        while not child.over:
            for answer in child.take(sandbox.TICK):
                yield paths[start], answer
                start += 1
        if not child.end().done:
            yield paths[start], "the process died"
            start += 1


def main() -> int:
    """See the module."""
    paths = sorted(Path(sys.argv[1]).glob("*.onnx"))
    allowed = int(sys.argv[2]) if len(sys.argv) > 2 else 0
    without = bad = never = kept = 0
    for path, why in answers(paths):
        without += why == "-"
        kept += why == "+"
        never += why.startswith("!")
        if why not in ("", "-", "+"):
            bad += 1
            print(f"{path.name}: {why}")
    print(f"{len(paths)} models, {bad} rejected, {never} of them for other elements, {kept} with pinned tensors, "
          f"{without} with nodes that onnxruntime has no kernel for")  # fmt: skip
    return 0 if kept and bad <= allowed and not never else 1


if __name__ == "__main__":
    sys.exit(main())
