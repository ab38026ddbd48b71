"""ExecuTorch: the program of torch.export, partitioned for XNNPACK, in its runtime."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from rulefuzz.rewrite.torch import EXPORT, REFUSES
from rulefuzz.targets import Dynamic
from rulefuzz.targets.executorch import NEEDS, UNSUPPORTED, lowered_by

__all__ = ["DYNAMIC", "FRAMEWORK", "IMPORTS", "NEEDS", "PLAIN", "REQUIRES", "UNSUPPORTED", "compile"]

FRAMEWORK = "torch"
REQUIRES = ("torch", "executorch==1.5.1")
IMPORTS = ("executorch.exir", "executorch.runtime", "executorch.backends.xnnpack.partition.xnnpack_partitioner")
PLAIN = (f"""{EXPORT}
from executorch.backends.xnnpack.partition.xnnpack_partitioner import XnnpackPartitioner
from executorch.exir import to_edge_transform_and_lower
from executorch.runtime import Runtime
program = torch.export.export(Module(), inputs, strict=False)
lowered = to_edge_transform_and_lower(program, partitioner=[XnnpackPartitioner()]).to_executorch()
actual = Runtime.get().load_program(lowered.buffer).load_method("forward").execute(list(inputs))[0]
""",)


def compile(function: Any, example: Sequence[Any], stage: Callable[[str], None]) -> Callable[..., Sequence[Any]]:
    """The method, of one shape."""
    from executorch.backends.xnnpack.partition.xnnpack_partitioner import XnnpackPartitioner

    call: Callable[..., Sequence[Any]] = lowered_by([XnnpackPartitioner()], function, example, stage, ())
    return call


def compile_dynamic(function: Any, example: Any, stage: Any, dims: Any) -> Any:
    """The same with dynamic shapes."""
    from executorch.backends.xnnpack.partition.xnnpack_partitioner import XnnpackPartitioner

    return lowered_by([XnnpackPartitioner()], function, example, stage, dims)


DYNAMIC = Dynamic((), compile_dynamic, NEEDS, REFUSES)
