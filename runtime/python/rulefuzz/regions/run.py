"""Runs a torch model with regions in eager mode, as its program is written."""

from __future__ import annotations

import ast
import inspect
import re
import textwrap
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import torch

from rulefuzz.framework import Framework
from rulefuzz.frameworks import torch_forms
from rulefuzz.model import Model, Values
from rulefuzz.regions import text, transforms
from rulefuzz.script import source

SPACE = {name: value for name, value in vars(transforms).items() if name.startswith(("region_", "Region"))}
"""The functions that a program with regions calls."""


def clean() -> None:
    """Leaves transforms that a compiler's exception left open."""
    undo = getattr(getattr(torch._C, "_functorch", None), "pop_dynamic_layer_stack_and_undo_to_depth", None)
    if undo:  # torch >= 2
        undo(0)
        torch._C._dispatch_tls_set_dispatch_key_included(torch._C.DispatchKey.PythonDispatcher, False)


def functions(program: str) -> tuple[Any, ...]:
    """The functions that a program uses, directly or through each other, in the order of their definitions."""
    found: set[str] = set()
    waiting = [program]
    while waiting:
        new = {name for name in re.findall(r"\bregion_\w+|\bRegion\w+", waiting.pop()) if name in SPACE} - found
        found |= new
        waiting += [inspect.getsource(SPACE[name]) for name in new]
    return tuple(one for name, one in SPACE.items() if name in found)


class _Plain(ast.NodeTransformer):
    """Removes annotations and docstrings, which need imports and lines."""

    def _without_doc(self, node: Any) -> Any:
        self.generic_visit(node)
        if ast.get_docstring(node) is not None:
            node.body = node.body[1:] or [ast.Pass()]
        return node

    visit_ClassDef = _without_doc

    def visit_FunctionDef(self, node: ast.FunctionDef) -> Any:
        node.returns = None
        return self._without_doc(node)

    def visit_arg(self, node: ast.arg) -> Any:
        node.annotation = None
        return node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> Any:
        return ast.Assign([node.target], node.value, lineno=node.lineno) if node.value else None


def definitions(program: str) -> str:
    """The source of these functions for a short script."""
    parsed = [ast.parse(textwrap.dedent(inspect.getsource(one))) for one in functions(program)]
    return "\n\n".join(ast.unparse(_Plain().visit(tree)) for tree in parsed)


def moved(x: Any, generator: np.random.Generator, lean: float) -> Any:
    """A float tensor moved by a few units in the last place; zeros by some of the maximum. numpy draws the noise, since vmap
    rejects torch's random calls."""
    if not x.is_floating_point() or x.layout != torch.strided or not x.numel() or x.element_size() < 2:
        return x
    units = 2 if x.element_size() == 2 else 8
    noise = torch.from_numpy(np.asarray(generator.uniform(-1, 1, tuple(x.shape))))
    noise = ((noise.fill_(lean) if lean else noise) * torch.finfo(x.dtype).eps * units).to(x.dtype)
    return x * (1 + noise) + noise * x.nan_to_num(0, 0, 0).abs().amax()


def run(framework: Framework, dialect: source.Dialect, model: Model, inputs: Values, noise: int | None,
        lean: float) -> Values:  # fmt: skip
    """The results of calls, further results of regions, and gradients. `noise`: a seed; every float is moved."""
    generator = np.random.default_rng(noise or 0)
    clean()

    def move(tensors: Sequence[Any]) -> list[Any]:
        return list(tensors) if noise is None else [moved(t, generator, lean) for t in tensors]

    order = [*model.made(), *(t.id for _, t in model.extras)]
    written = text.text(model, dialect, framework.is_tensor, (), order, hooked=True)
    values = dict(zip(inputs, move(list(inputs.values())), strict=True))
    values |= {t.id: values[t.same] for t in model.inputs if t.same is not None}
    space: dict[str, Any] = {**SPACE, text.RUN: lambda result: move(framework.tensors_of(result))}
    constants = {t.id: values[t.id] for t in model.constants}
    function = source.function(written, dialect, torch, constants, space)
    if not model.gradients:
        return dict(zip(order, function(*(values[t.id] for t in model.fed)), strict=True))
    return _differentiated(function, model, values, order)


def _differentiated(function: Callable[..., Any], model: Model, values: Values, order: Sequence[int]) -> Values:
    taken, gradients = zip(*model.gradients, strict=True)
    with torch.enable_grad():
        leaves = {i: values[i].detach().requires_grad_() for i in taken}
        values = values | leaves
        values |= {t.id: values[t.same] for t in model.inputs if t.same is not None}
        found = dict(zip(order, function(*(values[t.id] for t in model.fed)), strict=True))
        results = [found[i] for i in model.outputs if i in found]
        if not any(isinstance(t, torch.Tensor) and t.requires_grad for t in results):
            raise NotImplementedError("nothing to differentiate")
        pulled = torch_forms.gradients(results, list(leaves.values()))
    return {i: t.detach() for i, t in found.items()} | dict(zip(gradients, pulled, strict=True))
