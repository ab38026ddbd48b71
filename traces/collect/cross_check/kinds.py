"""The kinds of cross-checks, by framework."""

from __future__ import annotations

import importlib

from rulefuzz.sandbox import Limits
from traces.collect.cross_check.opinion import Asker
from traces.collect.judge.framework import Framework

KINDS = {
    "torch": ("fake", "meta", "aot", "inductor", "decomp", "out", "twin"),
    "onnx": ("onnx-infer",),
    "tensorflow": ("tf-graph",),
}


def asker_of(framework: Framework, kind: str, limits: Limits) -> Asker:
    """The implementation of a kind; `limits` are those of the framework's child."""
    made: Asker = importlib.import_module(f"traces.collect.cross_check.{framework.name}").asker(framework, kind, limits)
    return made
