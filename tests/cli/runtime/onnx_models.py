"""Checks the ONNX files of a folder with onnx, runs them with onnxruntime and compares the outputs' shapes.

Prints a line for each file that is refused, and a line of totals; ends with 1 when there are more than ALLOWED.
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

NO_KERNEL = "Could not find an implementation"


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


def fed(info: onnx.ValueInfoProto, values: int) -> onnxruntime.OrtValue:
    """An input's elements, as docs/formats.md says."""
    number = info.type.tensor_type.elem_type
    kind, span = "small", None
    for word in info.doc_string.split():
        key, _, text = word.partition("=")
        kind = text if key == "values" else kind
        span = [int(part) for part in text.split(",")] if key == "range" else span
    target = helper.tensor_dtype_to_np_dtype(number)
    seed = elements.seed_of(values, int(info.name[1:]))
    array = elements.elements(dims(info), np.dtype(target).name, seed, kind, span).astype(target)
    if target.kind == "V" or number == onnx.TensorProto.BFLOAT16:
        return onnxruntime.OrtValue.ortvalue_from_numpy_with_onnx_type(array.view(np.uint16), number)
    return onnxruntime.OrtValue.ortvalue_from_numpy(array)


def refused(path: Path, run_options: onnxruntime.SessionOptions) -> str:
    """Why a model is refused: "" when it is not, "-" where onnxruntime has no kernel for a node."""
    model = onnx.load(path)
    try:
        checker.check_model(model, full_check=True)
        data = model.SerializeToString()
        session = onnxruntime.InferenceSession(data, run_options, providers=["CPUExecutionProvider"])
        values = int(next(p.value for p in model.metadata_props if p.key == "values"))
        inputs = {info.name: fed(info, values) for info in model.graph.input}
        outputs = session.run_with_ort_values([info.name for info in model.graph.output], inputs)
    except Exception as error:
        return "-" if NO_KERNEL in str(error) else f"{type(error).__name__}: {error}".replace("\n", " ")[:300]
    for info, got in zip(model.graph.output, outputs, strict=True):
        if tuple(got.shape()) != dims(info):
            return f"{info.name}: shape {got.shape()} instead of {dims(info)}"
    return ""


def answers(paths: list[Path]) -> Iterator[tuple[Path, str]]:
    """The models' answers; a child has many of them, since a model can end its process."""

    def work(inside: sandbox.Inside) -> None:
        run_options = options()
        for path in paths[start:]:
            inside.tell(refused(path, run_options))

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
    without = bad = 0
    for path, why in answers(paths):
        without += why == "-"
        if why not in ("", "-"):
            bad += 1
            print(f"{path.name}: {why}")
    print(f"{len(paths)} models, {bad} refused, {without} with nodes that onnxruntime has no kernel for")
    return 0 if paths and bad <= allowed else 1


if __name__ == "__main__":
    sys.exit(main())
