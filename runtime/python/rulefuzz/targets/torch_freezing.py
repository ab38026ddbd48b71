"""torch.compile with inductor for inference: module parameters are constants, folded, merged and packed."""

from __future__ import annotations

import os

from rulefuzz.targets import torch_inductor
from rulefuzz.targets.torch_inductor import ENVIRONMENT, NEEDS, STRIDES, compile, enter, together

__all__ = ["BATCH", "BEFORE", "ENVIRONMENT", "FRAMEWORK", "NEEDS", "PLAIN", "REQUIRES", "STRIDES"]
__all__ += ["compile", "enter", "prepare", "together"]

FRAMEWORK = "torch"
REQUIRES = ("torch",)
BATCH = 24
BEFORE = ("torch-decomp", "torch-aot", "torch-passes")
PLAIN = ("""
import torch._inductor.config
torch._inductor.config.freezing = True
with torch.no_grad():
    actual = torch.compile(model, dynamic=False)(*inputs)
""",)


def prepare() -> dict[str, str]:
    """Turns on freezing of parameters."""
    os.environ[ENVIRONMENT[0]] = "1"
    return torch_inductor.prepare()
