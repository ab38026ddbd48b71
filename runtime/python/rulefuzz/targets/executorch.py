"""ExecuTorch: the program of torch.export, lowered to its portable kernels, in its runtime."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from rulefuzz.rewrite.torch import EXPORT, REFUSES, program, pure_program
from rulefuzz.targets import Dynamic

FRAMEWORK = "torch"
REQUIRES = ("torch", "executorch==1.5.1")
IMPORTS = ("executorch.exir", "executorch.runtime")
PLAIN = (f"""{EXPORT}
from executorch.exir import to_edge_transform_and_lower
from executorch.runtime import Runtime
lowered = to_edge_transform_and_lower(torch.export.export(Module(), inputs, strict=False)).to_executorch()
actual = Runtime.get().load_program(lowered.buffer).load_method("forward").execute(list(inputs))[0]
""",)
# Operators outside of core ATen, and kernels that the portable library lacks.
UNSUPPORTED = ("is not in Core ATen opset", "error: 0x:14", "Missing out variants")


def lowered_by(partitioners: Any, function: Any, example: Any, stage: Any, dims: Any) -> Any:
    """The method of the lowered program."""
    import logging

    import torch
    from executorch.exir import to_edge_transform_and_lower
    from executorch.runtime import Runtime

    logging.disable(logging.ERROR)
    whole = to_edge_transform_and_lower(pure_program(function, example, dims), partitioner=partitioners).to_executorch()
    loaded = Runtime.get().load_program(whole.buffer)
    method = loaded.load_method("forward")
    stage("run")

    def call(*inputs: Any) -> Any:
        dense = [x.detach().resolve_conj().resolve_neg().contiguous() for x in inputs]
        made = method.execute(dense) if loaded else []  # the method does not keep the program
        return [x.clone() if isinstance(x, torch.Tensor) else x for x in made]

    return call


NEEDS = (program, pure_program, lowered_by)


def compile(function: Any, example: Sequence[Any], stage: Callable[[str], None]) -> Callable[..., Sequence[Any]]:
    """The method, of one shape."""
    call: Callable[..., Sequence[Any]] = lowered_by(None, function, example, stage, ())
    return call


def compile_dynamic(function: Any, example: Any, stage: Any, dims: Any) -> Any:
    """The same with dynamic shapes."""
    return lowered_by(None, function, example, stage, dims)


DYNAMIC = Dynamic((), compile_dynamic, NEEDS, REFUSES)
