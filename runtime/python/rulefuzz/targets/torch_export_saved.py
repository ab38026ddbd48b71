"""torch.export: the program, saved, loaded and decomposed to core ATen operators, run eagerly."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from rulefuzz.rewrite.torch import EXPORT, REFUSES, program
from rulefuzz.targets import Dynamic

FRAMEWORK = "torch"
REQUIRES = ("torch",)
ABSTRACT = True
PLAIN = (f"""{EXPORT}
import io
file = io.BytesIO()
torch.export.save(torch.export.export(Module(), inputs, strict=False), file)
file.seek(0)
actual = torch.export.load(file).run_decompositions().module()(*inputs)
""",)


def reloaded(function: Any, example: Any, stage: Any, dims: Any) -> Any:
    """The module of the exported program, after a round trip through a file."""
    import io

    import torch

    file = io.BytesIO()
    torch.export.save(program(function, example, dims), file)
    file.seek(0)
    module = torch.export.load(file).run_decompositions().module()
    stage("run")
    return module


NEEDS = (program, reloaded)


def compile(function: Any, example: Sequence[Any], stage: Callable[[str], None]) -> Callable[..., Sequence[Any]]:
    """The module, of one shape."""
    module: Callable[..., Sequence[Any]] = reloaded(function, example, stage, ())
    return module


DYNAMIC = Dynamic((), reloaded, (program,), REFUSES)
