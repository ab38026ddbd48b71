"""Models as modules: what was a function is the method forward, what were constants are parameters and buffers."""

from __future__ import annotations

import re

from rulefuzz.model import Model

MADE = "model = Model()"


def module_text(model: Model, text: str) -> str:
    """The class of a model whose function is `text`; MADE makes one, once its constants c1, ... are there."""
    lines = ["class Model(torch.nn.Module):", "    def __init__(self):", "        super().__init__()"]
    for t in model.constants:
        kept = f"torch.nn.Parameter(c{t.id}, requires_grad=False)" if _is_parameter(t.dtype) else f"torch.nn.Buffer(c{t.id})"
        lines.append(f"        self.c{t.id} = {kept}")
    head, *body = text.splitlines()
    names = head.partition("(")[2]
    lines += ["", f"    def forward(self{', ' if not names.startswith(')') else ''}{names}"]
    lines += ["    " + re.sub(r"^(    v(\d+) = )c(\2)$", r"\1self.c\3", line) for line in body]
    return "\n".join(lines) + "\n"


def _is_parameter(dtype: str) -> bool:
    """Of what is not to be trained a module has buffers."""
    return "float" in dtype or "complex" in dtype
