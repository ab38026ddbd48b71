"""torch's parts of a short script."""

from __future__ import annotations

import math
from dataclasses import replace

from rulefuzz.framework import Short
from rulefuzz.frameworks import torch_modules
from rulefuzz.model import Model, Tensor
from rulefuzz.script import spell

GRADIENT = """
def gradient(results):
    ends = [r for r in results if r.requires_grad and r.is_floating_point()]
    weights = [(torch.arange(r.numel()) % 3 + 1).to(r.dtype).reshape(r.shape) for r in ends]
    return torch.autograd.grad(ends, x{taken}, weights)[0]
"""


SHARED = """
def shared(results, inputs):  # the first tensor with the same memory
    places = [x.untyped_storage().data_ptr() for x in (*inputs, *results)]
    return [places.index(place) for place in places]
"""
ALIASES = "actual = shared(actual, inputs)"


def spelled(tensor: Tensor, values: int, how: str) -> str:
    """See Framework."""
    stored = _spelled(replace(tensor, shape=tensor.stored), values, how)
    if tensor.strides is None:
        return stored
    text = f"as_strided({tensor.stored!r}, {tensor.strides!r}, {tensor.offset}).copy_({stored})"
    last = sum((size - 1) * stride for size, stride in zip(tensor.stored, tensor.strides, strict=True))
    places = tensor.offset + (last + 1 if math.prod(tensor.stored) else 0)
    text = f"torch.full(({places},), 77, dtype=torch.{tensor.dtype}).{text}"
    return text if tensor.stored == tensor.shape else f"{text}.expand({tensor.shape!r})"


def _spelled(tensor: Tensor, values: int, how: str) -> str:
    said, dtype, shape = spell.filling(tensor, values, how), f"dtype=torch.{tensor.dtype}", tensor.shape
    if said.full is not None:
        return f"torch.ones({shape!r}, {dtype})" if said.full == 1 else f"torch.full({shape!r}, {said.full!r}, {dtype})"
    if said.counted is not None:
        first, again = said.counted
        start = f"{first}, " if first and not again else ""
        text = f"torch.arange({start}{math.prod(shape) + (0 if again else first)}, {dtype}).reshape({shape!r})"
        return f"{text} % {again} + {first}" if again else text
    if said.drawn is not None:
        low, high = said.drawn
        seeded = "generator=torch.Generator().manual_seed(0)"
        if spell.is_whole(tensor.dtype) or tensor.span:
            return f"torch.randint({low!r}, {high!r}, {shape!r}, {seeded}).to(torch.{tensor.dtype})"
        return f"(torch.rand({shape!r}, {seeded}) * {high - low!r} + {low!r}).to(torch.{tensor.dtype})"
    if said.mixed:
        return f"torch.from_numpy({said.mixed}).reshape({shape!r}).to(torch.{tensor.dtype})"
    return f"torch.tensor({spell.list_text(said.listed)}, {dtype})"


def short(model: Model, text: str, said: dict[int, str], compared: str, limits: tuple[float, float], writes: bool) -> Short:
    """See Framework. `text`: the model as a function."""
    wanted = {gradient: taken for taken, gradient in model.gradients}
    if len(model.outputs) == 1 and compared != "aliases":
        text = text.replace(f"return (v{model.outputs[0]},)\n", f"return v{model.outputs[0]}\n")
    made = [torch_modules.MADE, ""] if model.module else []
    lines = spell.mixing(said.values()) + [f"c{t.id} = {said[t.id]}" for t in model.constants]
    lines += ["", *text.splitlines(), "", *made]
    lines += [f"x{t.id} = {said[t.id] if t.same is None else f'x{t.same}'}" for t in model.fed]
    lines.append(f"inputs = ({''.join(f'x{t.id}, ' for t in model.fed).rstrip() if len(model.fed) == 1 else _joined(model)})")
    laid = any(t.strides is not None or t.same is not None for t in model.fed)
    copies = "copy.deepcopy(inputs)" if laid else "[x.clone() for x in inputs]"
    imports = ("import copy", "import torch") if laid else ("import torch",)
    if compared == "aliases":
        run = f"given = {copies}\nexpected = shared(model(*given), given)"
        return Short(imports, "\n".join([*lines, *SHARED.splitlines()]), run, "assert actual == expected", ALIASES)
    if compared == "inputs":
        reference, after = f"expected = {copies}\nmodel(*expected)", f"actual = {'inputs' if laid else 'list(inputs)'}"
    else:
        reference, after = f"expected = model(*{copies if writes else 'inputs'})", ""
    if wanted:
        taken = next(wanted[i] for i in model.outputs if i in wanted)
        lines += [f"x{taken}.requires_grad_()", *GRADIENT.format(taken=taken).splitlines()]
        reference, after = "expected = gradient(model(*inputs))", "actual = gradient(actual)"
    absolute, relative = limits
    compare = f"torch.testing.assert_close(actual, expected, rtol={relative!r}, atol={absolute!r}, equal_nan=True)"
    return Short(imports, "\n".join(lines), reference, compare, after)


def _joined(model: Model) -> str:
    return ", ".join(f"x{t.id}" for t in model.fed)
