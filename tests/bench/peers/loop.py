"""A plain loop over saved models, which `rulefuzz run` replaces: build each with onnx, make two onnxruntime sessions, run both,
compare with numpy. One session has no graph optimizations. Prints models, those that agreed, and CPU seconds as JSON.

usage: PYTHONPATH=runtime/python python tests/bench/peers/loop.py FOLDER [COUNT]     (FOLDER: of run --save-models)
"""

from __future__ import annotations

import json
import os
import resource
import sys
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


def outcome(adapter: Any, reader: Reader, path: Path) -> bytes:
    """A letter: agreed, differs, or raised, which the loop skips."""
    try:
        return b"a" if check(adapter, reader, json.loads(path.read_text(encoding="utf-8"))) else b"d"
    except Exception:
        return b"r"


def main() -> None:
    """Runs the loop in a child, and from the next model on in another one if it crashes."""
    adapter = framework.load("onnx")
    reader = Reader(adapter)
    paths = sorted(Path(sys.argv[1]).glob("*.json"))[: int(sys.argv[2]) if len(sys.argv) > 2 else None]
    found = b""
    while len(found) < len(paths):
        read, write = os.pipe()
        child = os.fork()
        if child == 0:
            for path in paths[len(found) :]:
                os.write(write, outcome(adapter, reader, path))
            os._exit(0)
        os.close(write)
        with open(read, "rb") as told:
            found += told.read()
        found += b"c" if os.waitpid(child, 0)[1] else b""
    spent = resource.getrusage(resource.RUSAGE_CHILDREN)
    counts = {name: found.count(letter) for name, letter in (("agreed", b"a"), ("raised", b"r"), ("crashed", b"c"))}
    print(json.dumps({"models": len(paths), **counts, "cpu_seconds": spent.ru_utime + spent.ru_stime}, separators=(",", ":")))


if __name__ == "__main__":
    main()
