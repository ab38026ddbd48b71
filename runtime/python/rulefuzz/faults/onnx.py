"""Faults of optimizers of ONNX models, planted before onnxruntime for tests: passes over constants, chains, shapes and
subgraphs."""

from __future__ import annotations

from typing import Any

from rulefuzz.faults import onnx_bodies, onnx_chains, onnx_constants, onnx_shapes
from rulefuzz.faults.onnx_graph import Graph

PASSES = {**onnx_constants.PASSES, **onnx_chains.PASSES, **onnx_bodies.PASSES, **onnx_shapes.PASSES}


def planted(model: Any, fault: str, known: Graph | None = None) -> Any:
    """The model after a wrong pass, or itself if the pass does not apply. `known`: a copy that no pass has changed."""
    graph = Graph(model, known)
    return graph.model if fault in PASSES and PASSES[fault](graph) else model
