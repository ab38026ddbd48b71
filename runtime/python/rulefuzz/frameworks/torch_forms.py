"""What a model of torch may be besides a function: a module, and one whose gradients are results as well."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

import torch

from rulefuzz.model import Model

PLACES: Sequence[int] = ()
"""In a script: which inputs."""
MADE = "model = Model()"


# ---- gradients, copied into scripts


def gradients(results: Sequence[Any], leaves: Sequence[Any]) -> list[Any]:
    """Of the sum of all elements of float results, times 1, 2, 3, 1, 2, 3, ...; zeros for what they do not depend on."""
    ends = [x for x in results if isinstance(x, torch.Tensor) and x.requires_grad and x.is_floating_point()]
    weights = [(torch.arange(x.numel()) % 3 + 1).to(x.dtype).reshape(x.shape) for x in ends]
    found = torch.autograd.grad(ends, leaves, weights, allow_unused=True) if ends else [None] * len(leaves)
    return [torch.zeros_like(x) if grad is None else grad for x, grad in zip(leaves, found, strict=True)]


def leaves_of(inputs: Sequence[Any], places: Sequence[int]) -> list[Any]:
    """The inputs, of which those at these places take gradients; what is one tensor stays one."""
    wanted = {id(inputs[place]) for place in places}
    made = {id(x): x.detach().requires_grad_() if id(x) in wanted else x for x in inputs}
    return [made[id(x)] for x in inputs]


def both(function: Callable[..., Any], inputs: Sequence[Any], places: Sequence[int]) -> list[Any]:
    """What a function returns, then the gradients."""
    with torch.enable_grad():
        taken = leaves_of(inputs, places)
        results = list(function(*taken))
        found = gradients(results, [taken[place] for place in places])
    return [*(x.detach() if isinstance(x, torch.Tensor) else x for x in results), *found]


def with_gradients(compile_target: Callable[..., Any], places: Sequence[int], joint: bool) -> Callable[..., Any]:
    """A compilation of the function with its gradients. joint: as one function that computes both; else the target's function
    is differentiated as eager's is."""

    def compile_both(function: Callable[..., Any], example: Sequence[Any], stage: Callable[[str], None]) -> Callable[..., Any]:
        if joint:
            return compile_target(lambda *inputs: both(function, inputs, places), example, stage)  # type: ignore[no-any-return]
        with torch.enable_grad():
            compiled = compile_target(function, leaves_of(example, places), stage)
        return lambda *inputs: both(compiled, inputs, places)

    return compile_both


def reference(model: Any, inputs: Any) -> Any:
    """What the model returns in eager, and the gradients."""
    return both(model, inputs, PLACES)


# ---- the oracle's


def moved(tensor: Any, generator: torch.Generator, lean: float) -> Any:
    """A float tensor moved by a few units in the last place of its elements, zeros by some of the greatest: what lies at a kink
    comes to lie beside it. Differentiable as if nothing were done."""
    if not tensor.is_floating_point() or tensor.layout != torch.strided or not tensor.numel():
        return tensor
    plain = tensor.detach().to(torch.float64)
    noise = torch.rand(tensor.shape, generator=generator, dtype=torch.float64) * 2 - 1
    noise = (noise.fill_(lean) if lean else noise) * torch.finfo(tensor.dtype).eps * 8
    size = float(plain.abs().nan_to_num(0, 0, 0).max()) or 1.0
    shift = plain.abs() * noise * torch.where(plain < 0, -1.0, 1.0) + noise * size
    return tensor + shift.to(tensor.dtype)


# ---- modules

VALUE = re.compile(r"\bv(\d+)\b")
"""A tensor's name in a model's text."""


def module_text(model: Model, text: str) -> str:
    """The class of a model whose function is `text`; MADE makes one, once its constants c1, ... are there. Every second one is
    written as models of people often are, for those who look at Python: a list of modules, each a step on a dictionary."""
    lines = ["class Model(torch.nn.Module):", "    def __init__(self):", "        super().__init__()"]
    for t in model.constants:
        parameter = f"self.c{t.id} = torch.nn.Parameter(c{t.id}, requires_grad=False)"
        buffer = f'self.register_buffer("c{t.id}", c{t.id})'  # torch.nn.Buffer is new in 2.5
        lines.append("        " + (parameter if _is_parameter(t.dtype) else buffer))
    imports, begin, rest = text.rpartition("def model")
    head, *body = (begin + rest).splitlines()
    names = head.partition("(")[2]
    body = ["    " + re.sub(r"^(    v(\d+) = )c(\2)$", r"\1self.c\3", line) for line in body]
    plain = [f"    def forward(self{', ' if not names.startswith(')') else ''}{names}", *body]
    if _is_stepwise(model, body):
        begin, lines = STEP, [*lines, *_steps(names, body)]
    else:
        begin, lines = "", [*lines, "", *plain]
    return imports + begin + "\n".join(lines) + "\n"


STEP = """class Step(torch.nn.Module):
    def __init__(self, run):
        super().__init__()
        self.run = run

    def forward(self, v):
        self.run(v)

"""


def _is_stepwise(model: Model, body: list[str]) -> bool:
    """Whether a module has its calls one by one: as its number falls, and where no text in it looks like a tensor."""
    quoted = (part for line in body for part in re.split("[\"']", line)[1::2])
    return (model.values >> 1) % 2 == 1 and not any(map(VALUE.search, quoted))


def _steps(names: str, body: list[str]) -> list[str]:
    """The rest of a stepwise module: what it is made of, its forward, and the steps."""
    taken = VALUE.findall(names)
    calls, wanted = [VALUE.sub(r"v[\1]", line) for line in body[:-1]], VALUE.findall(body[-1])
    steps, pairs = [f"Step(self.step{i})" for i in range(len(calls))], [f"{i}: v{i}" for i in taken]
    lines = [f"        self.steps = torch.nn.ModuleList([{', '.join(steps)}])"]
    lines += [f"        self.wanted = [{', '.join(wanted)}]", ""]
    lines += [f"    def forward(self{''.join(f', v{i}' for i in taken)}):", f"        v = {{{', '.join(pairs)}}}"]
    lines += ["        for step in self.steps:", "            step(v)", "        return tuple([v[i] for i in self.wanted])"]
    for i, line in enumerate(calls):
        lines += ["", f"    def step{i}(self, v):", line]
    return lines


def _is_parameter(dtype: str) -> bool:
    """Of what is not to be trained a module has buffers."""
    return "float" in dtype or "complex" in dtype
