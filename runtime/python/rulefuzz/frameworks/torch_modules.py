"""A model of torch as a module: its constants are parameters and buffers, its calls one method or several steps."""

from __future__ import annotations

import re

from rulefuzz.model import Model

MADE = "model = Model()"
VALUE = re.compile(r"\bv(\d+)\b")
"""A tensor's name in a model's source."""
STEPWISE, BREAKS = 2, 12
"""Bits of a model's number: set for stepwise modules; clear for those of them that log between steps."""


def module_text(model: Model, text: str) -> str:
    """The class of a model whose function is `text`; MADE instantiates it once its constants c1, ... exist. Every second one is
    a list of step modules on a dictionary, as in many real models, for tracers of Python."""
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
        begin, lines = STEP, [*lines, *_steps(names, body, not model.values & BREAKS)]
    else:
        begin, lines = "", [*lines, "", *plain]
    return imports + begin + "\n".join(lines) + "\n"


STEP = """import logging
import warnings


class Step(torch.nn.Module):
    def __init__(self, run, *, name="step"):
        super().__init__()
        self.run, self.name, self.ran = run, name, True

    @classmethod
    def of(cls, *runs):
        return [cls(run, name=f"step {i}") for i, run in enumerate(runs)]

    @staticmethod
    def known(v, names):
        return all(name in v for name in names)

    @property
    def label(self):
        return "{} {:>8}".format(type(self).__name__, self.name)

    def forward(self, v, *args, **kwargs):
        self.ran = True
        self.run(v, *args, **kwargs)
        return v


class Checked(Step):
    def forward(self, v, *args, wanted=(), **kwargs):
        assert isinstance(v, dict) and self.known(v, wanted), f"{self.label}: not all of {wanted}"
        return super().forward(v, *args, **kwargs)


LOG = logging.getLogger("model")

"""
FORWARD = """
    def forward(self, *args, **kwargs):
        v = {}
        if len(args) == len(self.taken):
            for i, name in enumerate(self.taken):
                v[name] = args[i]
        else:
            v.update({name: kwargs[f"v{name}"] for name in self.taken})
"""
WHOLE = """        with warnings.catch_warnings():
            for step in self.steps:
                v = step(v)
"""
HALVES = """        steps = list(self.steps)
        for step in steps[:HALF]:
            v = step(v)
        LOG.debug("after %s: %s", steps[HALF - 1].label, sorted(v))
        for step in steps[HALF:]:
            v = step(v, wanted=self.taken)
"""


def _is_stepwise(model: Model, body: list[str]) -> bool:
    """Whether a module runs its calls step by step, by its number, unless a constant in it looks like a tensor."""
    quoted = (part for line in body for part in re.split("[\"']", line)[1::2])
    return bool(model.values & STEPWISE) and not model.bodies and not any(map(VALUE.search, quoted))


def _steps(names: str, body: list[str], halves: bool) -> list[str]:
    """The rest of a stepwise module: its constructor, forward, and steps. halves: it logs between two of them, where dynamo
    breaks its graph."""
    taken, calls = VALUE.findall(names), [VALUE.sub(r"v[\1]", line) for line in body[:-1]]
    half = (len(calls) + 1) // 2
    first, last = (", ".join(f"self.step{i}" for i in part) for part in (range(half), range(half, len(calls))))
    lines = [f"        self.steps = torch.nn.ModuleList([*Step.of({first}), *Checked.of({last})])"]
    lines += [f"        self.taken, self.wanted = [{', '.join(taken)}], [{', '.join(VALUE.findall(body[-1]))}]"]
    run = HALVES.replace("HALF", str(half)) if halves and calls else WHOLE
    lines += [*(FORWARD + run).splitlines(), "        return tuple([v[i] for i in self.wanted])"]
    for i, line in enumerate(calls):
        lines += ["", f"    def step{i}(self, v):", line]
    return lines


def _is_parameter(dtype: str) -> bool:
    """Tensors that cannot be trained are buffers."""
    return "float" in dtype or "complex" in dtype
