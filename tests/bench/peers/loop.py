"""A plain loop over saved models, which `rulefuzz run` replaces: build each with onnx, make two onnxruntime sessions, run both,
compare with numpy. One session has no graph optimizations. Prints models, those that agreed, and CPU seconds as JSON.

usage: PYTHONPATH=runtime/python python tests/bench/peers/loop.py FOLDER [COUNT]     (FOLDER: of run --save-models)
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path
from typing import Any

import numpy
import onnxruntime

from rulefuzz import assignments, framework
from rulefuzz.model import Reader


def session_of(data: bytes, level: onnxruntime.GraphOptimizationLevel) -> onnxruntime.InferenceSession:
    """Makes a session with one thread, which a loop on one core wants."""
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.graph_optimization_level = level
    return onnxruntime.InferenceSession(data, options, providers=["CPUExecutionProvider"])


def is_equal(one: Any, other: Any) -> bool:
    """Whether two results agree with numpy's default tolerance."""
    if one.dtype.kind in "fc":
        return bool(numpy.allclose(one, other, equal_nan=True))
    return bool(numpy.array_equal(one, other))


def check(adapter: Any, reader: Reader, line: Any) -> bool:
    """Builds and runs one model; returns whether both sessions agree."""
    levels = onnxruntime.GraphOptimizationLevel
    model = assignments.read(line, reader.model(line))
    data = adapter.subject(model, [], model.outputs).SerializeToString()
    fed = dict(zip((f"t{t.id}" for t in model.fed), adapter.arguments(model, adapter.inputs(model)), strict=True))
    runs = [session_of(data, level).run(None, fed) for level in (levels.ORT_DISABLE_ALL, levels.ORT_ENABLE_ALL)]
    return all(map(is_equal, *runs))


def main() -> None:
    """Runs the loop."""
    adapter = framework.load("onnx")
    reader = Reader(adapter)
    paths = sorted(Path(sys.argv[1]).glob("*.json"))[: int(sys.argv[2]) if len(sys.argv) > 2 else None]
    agreed = raised = 0
    start = time.process_time()
    for path in paths:
        try:
            agreed += check(adapter, reader, json.loads(path.read_text(encoding="utf-8")))
        except Exception:  # what a model raises, the loop skips
            raised += 1
    print(json.dumps({"models": len(paths), "agreed": agreed, "raised": raised, "cpu_seconds": time.process_time() - start},
                     separators=(",", ":")))  # fmt: skip


if __name__ == "__main__":
    main()
