"""Regions of a model: their inputs and results, and the model with and without them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from rulefuzz.bodies.body import Body, parents
from rulefuzz.model import Model, Node, Tensor
from rulefuzz.regions.kinds import CONTROL, DERIVES, KINDS, Kind


@dataclass(frozen=True)
class Region:
    """One region."""

    number: int
    """Among the model's bodies."""
    body: Body
    taken: tuple[Tensor, ...]
    """The tensors from outside that its calls use, in order."""
    ends: tuple[Tensor, ...]
    """Its tensors that none of its calls uses."""
    parent: int
    """The number of the region that it is in; -1: none."""

    @property
    def kind(self) -> Kind:
        """Its kind."""
        return KINDS[self.body.kind]


def _region(model: Model, number: int, parent: int, tensors: dict[int, Tensor]) -> Region:
    body = model.bodies[number]
    nodes = model.nodes[body.first : body.last + 1]
    made = {out.id: out for node in nodes for out in node.outputs}
    used = dict.fromkeys(ref for node in nodes for ref in node.refs())
    taken = tuple(tensors[i] for i in used if i not in made)
    return Region(number, body, taken, tuple(t for i, t in made.items() if i not in used), parent)


def regions(model: Model) -> list[Region]:
    """The regions in the model's order: an outer one before those in it."""
    tensors, around = model.tensors(), parents(model.bodies)
    return [_region(model, i, around[i], tensors) for i, body in enumerate(model.bodies) if body.is_region]


def without(model: Model, dropped: Iterable[int] | None = None) -> Model:
    """The model without these regions (None: all) and their further results."""
    gone = set(dropped) if dropped is not None else {i for i, body in enumerate(model.bodies) if body.is_region}
    extras = tuple(t for number, t in model.extras if number in gone)
    lost = {t.id for t in extras}
    left = [i for i in range(len(model.bodies)) if i not in gone]
    kept = tuple((left.index(number), t) for number, t in model.extras if number not in gone)
    return replace(model, bodies=tuple(model.bodies[i] for i in left), extras=kept,
                   outputs=tuple(i for i in model.outputs if i not in lost))  # fmt: skip


def _is_derived(model: Model, number: int, around: Sequence[int]) -> bool:
    """Whether a region is control flow within a derivative."""
    outer = around[number]
    while outer >= 0 and model.bodies[number].kind.startswith(CONTROL):
        if model.bodies[outer].kind in DERIVES:
            return True
        outer = around[outer]
    return False


def with_extras(model: Model) -> Model:
    """The model with the further results of its regions as outputs, and without regions whose kind does not apply."""
    forms = {r.number: r.kind.further(r.taken, r.ends, r.body.variant) for r in regions(model)}
    around = parents(model.bodies)
    bad = [number for number, form in forms.items() if form is None or _is_derived(model, number, around)]
    if bad:
        return with_extras(without(model, bad))
    extras: list[tuple[int, Tensor]] = []
    first = model.last() + 1
    for number, form in forms.items():
        for shape, dtype in form or ():
            extras.append((number, Tensor(first + len(extras), shape, dtype)))
    return replace(model, extras=tuple(extras), outputs=(*model.outputs, *(t.id for _, t in extras)))


def name_of(model: Model, tensor: int) -> str:
    """The name of a further result; "" for any other tensor."""
    for number, t in model.extras:
        if t.id == tensor:
            place = [other.id for k, other in model.extras if k == number].index(tensor)
            return f"result {place} of {KINDS[model.bodies[number].kind].api}"
    return ""


def api_of(model: Model, tensor: int) -> str:
    """A further result, named by its transform and the last call of its region."""
    number = next(number for number, t in model.extras if t.id == tensor)
    body = model.bodies[number]
    return f"{KINDS[body.kind].api} of {model.nodes[body.last].api}"


def apis(model: Model) -> list[str]:
    """The transforms of a model."""
    return list(dict.fromkeys(KINDS[body.kind].api for body in model.bodies if body.is_region))


def behind(model: Model, number: int) -> set[int]:
    """The tensors that a region's further results depend on: inputs and results of its calls."""
    body = model.bodies[number]
    nodes: Sequence[Node] = model.nodes[body.first : body.last + 1]
    return {i for node in nodes for i in (*node.refs(), *(out.id for out in node.outputs))}
