"""A toy source of chains: python -m traces.collect.zoo.sources.toy FOLDER"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import onnx
from onnx import helper

from traces.collect.zoo import store


def main(folder: Path) -> None:
    """Writes one file: Abs, then Neg."""
    ends = [helper.make_tensor_value_info(name, onnx.TensorProto.FLOAT, [2, 3]) for name in ("x", "z")]
    nodes = [helper.make_node("Abs", ["x"], ["y"]), helper.make_node("Neg", ["y"], ["z"])]
    path = store.path_of(folder, "Toy", "made")
    onnx.save(helper.make_model(helper.make_graph(nodes, "toy", ends[:1], ends[1:])), path)
    store.save_inputs(path, {"x": np.ones((2, 3), np.float32)})


if __name__ == "__main__":
    main(Path(sys.argv[1]))
