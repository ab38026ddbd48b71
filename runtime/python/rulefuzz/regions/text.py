"""A model with regions as a Python function: the calls of a region are a function of their own."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import Any

from rulefuzz import own
from rulefuzz.model import Model
from rulefuzz.regions.region import Region, regions
from rulefuzz.script import source

RUN = "run_call"
"""In programs of the oracle: the tensors of a call's result, maybe moved."""
CUSTOM = """class Part{number}(torch.autograd.Function):
    @staticmethod
    def forward({takes}):
        return tuple(body{number}({takes}))

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(*inputs)

    @staticmethod
    def backward(ctx, {grads}):
        return region_backward(body{number}, ctx.saved_tensors, ({grads},), {factor})
"""
"""The parameters have names, as programs write them: a compiler that inlines the calls binds them one by one."""
OLDER = """class Part{number}(torch.autograd.Function):
    @staticmethod
    def forward(ctx, {takes}):
        ctx.save_for_backward({takes})
        return tuple(body{number}({takes}))

    @staticmethod
    def backward(ctx, {grads}):
        return region_backward(body{number}, ctx.saved_tensors, ({grads},), {factor})
"""


@dataclass
class Writer:
    """Writes one model."""

    model: Model
    dialect: source.Dialect
    is_tensor: Callable[[Any], bool]
    results: Sequence[Any]
    hooked: bool

    def __post_init__(self) -> None:
        self.regions = regions(self.model)
        self.definitions: list[str] = []

    def text(self, outputs: Sequence[int]) -> str:
        """The function and those of its regions."""
        model = self.model
        body = self._calls(0, len(model.nodes), -1, set(outputs))
        lines = [f"def model({', '.join(f'v{t.id}' for t in model.fed)}):"]
        lines += [f"    v{t.id} = {self.dialect.constant.format(f'c{t.id}')}" for t in model.constants]
        lines += [f"    {line}" for line in body]
        lines.append(f"    return ({', '.join(f'v{i}' for i in outputs)}{',' if len(outputs) == 1 else ''})")
        return "\n".join([*own.imports(node.api for node in model.nodes), *self.definitions, *lines]) + "\n"

    def _calls(self, first: int, end: int, parent: int, needed: Collection[int]) -> list[str]:
        """The calls of a range of nodes. `needed`: the tensors that are used after it."""
        inner = {r.body.first: r for r in reversed(self.regions) if r.parent == parent}
        lines, at = [], first
        while at < end:
            if at in inner:
                lines.append(self._region(inner[at], needed))
                at = inner[at].body.last + 1
            else:
                lines.append(self._call(at))
                at += 1
        return lines

    def _call(self, i: int) -> str:
        node = self.model.nodes[i]
        call = source.call(node, self.dialect)
        if self.hooked:
            names = "".join(f"v{t.id}, " for t in node.outputs)
            return f"({names}) = {RUN}({call})" if names else f"{RUN}({call})"
        known = (
            source.pattern(self.results[i], self.is_tensor, (f"v{t.id}" for t in node.outputs)) if i < len(self.results) else ""
        )
        return f"{known or source.plain_pattern(node)} = {call}"

    def _region(self, region: Region, needed: Collection[int]) -> str:
        body, model, k = region.body, self.model, region.number
        after = {ref for node in model.nodes[body.last + 1 :] for ref in node.refs()} | set(needed)
        made = [out.id for node in model.nodes[body.first : body.last + 1] for out in node.outputs]
        inside = self._inside(k)
        made += [t.id for number, t in model.extras if number in inside]
        ends = [t.id for t in region.ends]
        returned = [*ends, *(i for i in made if i in after and i not in ends)]
        lines = self._calls(body.first, body.last + 1, k, returned)
        names = [f"v{t.id}" for t in region.taken]
        whole = [f"def body{k}({', '.join(names)}):", *(f"    {line}" for line in lines)]
        whole.append(f"    return ({''.join(f'v{i}, ' for i in returned)})")
        self.definitions.append("\n".join(whole) + "\n\n")
        called = f"body{k}"
        if region.kind.made:
            template, called = OLDER if body.variant & 4 else CUSTOM, f"Part{k}"
            named = {"takes": ", ".join(names), "grads": ", ".join(f"g{i}" for i in returned)}
            self.definitions.append(template.format(number=k, factor=1 + (body.variant & 1), **named) + "\n")
        own_results = [t.id for number, t in model.extras if number == k]
        target = "".join(f"v{i}, " for i in (*returned, *own_results))
        call = f"{region.kind.function}({called}, [{', '.join(names)}], {len(ends)}, {body.variant})"
        return f"({target}) = {call}" if target else call

    def _inside(self, number: int) -> set[int]:
        """The regions within one."""
        found = {number}
        for r in self.regions:
            if r.parent in found:
                found.add(r.number)
        return found - {number}


def text(model: Model, dialect: source.Dialect, is_tensor: Callable[[Any], bool], results: Sequence[Any],
         outputs: Sequence[int], hooked: bool = False) -> str:  # fmt: skip
    """See source.source. `hooked`: each call's results go through RUN."""
    return Writer(model, dialect, is_tensor, results, hooked).text(outputs)
