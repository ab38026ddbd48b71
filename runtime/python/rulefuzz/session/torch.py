"""Programs of torch models with a session."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import torch

from rulefuzz import own
from rulefuzz.effects import torch as memory
from rulefuzz.frameworks import torch as adapter
from rulefuzz.model import Model
from rulefuzz.script import source
from rulefuzz.session import compilers, driver, program

SCRIPT = (driver.plain, driver.apart, driver.tensors_in, driver.started, driver.copied_result, driver.gradient, driver.played,
          driver.other_told)  # fmt: skip
"""Functions that scripts copy."""


COMPILERS = (compilers.by_backend,)
"""Functions that targets' own functions call."""
IMPORTS = "import contextlib\nimport io\nimport linecache\nimport types\n\nimport torch"
shared = memory.shared


def text(model: Model, results: Sequence[Any]) -> str:
    """The text of the model's program. `results`: the result of each node."""
    assert model.session
    dialect = adapter.DIALECT

    def is_tensor(value: Any) -> bool:
        return isinstance(value, torch.Tensor)

    calls = [source.statement(node, dialect, is_tensor, result) for node, result in zip(model.nodes, results, strict=True)]
    writes = any(effect.writes for effect in model.effects)
    own_memory = [t for t in model.fed if t.same is None and t.id not in {u.same for u in model.fed}]
    floats = [f"v{t.id}" for t in own_memory if t.dtype in ("float32", "float64") and not writes]
    strided = [f"v{t.id}" for t in own_memory if t.strides is None]
    fed, constants = ([f"v{t.id}" for t in tensors] for tensors in (model.fed, model.constants))
    imports = own.imports(node.api for node in model.nodes)
    body = program.Body(imports, fed, constants, calls, [f"v{i}" for i in model.outputs], floats, strided)
    return program.text(body, model.session)


def play(text: str, constants: dict[int, Any], compiler: Callable[..., Any], stage: Any, inputs: Any) -> list[dict[str, Any]]:
    """The outcome of each call; see driver.played. A construct may set options of dynamo, which are reset for later models."""
    import torch._dynamo

    before = torch._dynamo.config.save_config()
    try:
        space = driver.started(text, {f"c{i}": tensor for i, tensor in constants.items()})
        return driver.played(space, compiler(space["model"], stage), inputs)
    finally:
        torch._dynamo.config.load_config(before)


other_told, eager = driver.other_told, compilers.by_eager
