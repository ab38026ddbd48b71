"""torch.export: the program, decomposed to core ATen operators, saved and loaded, run eagerly."""

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
torch.export.save(torch.export.export(Module(), inputs, strict=False).run_decompositions(), file)
file.seek(0)
actual = torch.export.load(file).module()(*inputs)
""",)


def reloaded(function: Any, example: Any, stage: Any, dims: Any) -> Any:
    """The module of the exported program, decomposed, after a round trip through a file."""
    import io

    import torch

    file = io.BytesIO()
    torch.export.save(program(function, example, dims).run_decompositions(), file)
    file.seek(0)
    module = torch.export.load(file).module()
    stage("run")
    return module


NEEDS = (program, reloaded)


def compile(function: Any, example: Sequence[Any], stage: Callable[[str], None]) -> Callable[..., Sequence[Any]]:
    """The module, of one shape."""
    module: Callable[..., Sequence[Any]] = reloaded(function, example, stage, ())
    return module


DYNAMIC = Dynamic((), reloaded, (program,), REFUSES)
