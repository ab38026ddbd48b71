"""Candidate calls of a raw operator, drawn from its definition and mutated."""

from __future__ import annotations

import copy
import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from traces.collect.call.spec import Elements, Literal, TensorSpec
from traces.collect.frameworks.tensorflow.defs import DTYPES, Attribute, Definition, Input

MOST_GIVEN = 12
"""Integer tensors with at most this many elements are listed one by one."""
INTEGERS = ("int32", "int64")
WORDS = ("", "a", "ij->ji", "ij,jk->ik", "NHWC", "SAME")
HELD = {"resource": ("variable",), "variant": ("list", "dataset", "matrix", "optional")}
"""Wrappers of a tensor, by the dtype of the definition."""


@dataclass
class Tensor:
    """An input: its dimensions and, if they are listed, its elements in order."""

    dims: list[int]
    elements: list[int] | None = None
    held: str = ""

    def copy(self) -> Tensor:
        """A deep copy."""
        return Tensor(list(self.dims), self.elements and list(self.elements), self.held)


@dataclass
class Candidate:
    """All choices of one call."""

    types: dict[str, Any] = field(default_factory=dict)
    counts: dict[str, int] = field(default_factory=dict)
    inputs: dict[str, list[Tensor]] = field(default_factory=dict)
    attributes: dict[str, Any] = field(default_factory=dict)

    def copy(self) -> Candidate:
        """A deep copy."""
        return Candidate(
            {name: list(value) if isinstance(value, list) else value for name, value in self.types.items()},
            dict(self.counts),
            {name: [tensor.copy() for tensor in tensors] for name, tensors in self.inputs.items()},
            dict(self.attributes),
        )

    def shapes(self) -> list[list[int]]:
        """The dimensions of all inputs."""
        return [tensor.dims for tensors in self.inputs.values() for tensor in tensors]


def _nested(flat: Sequence[int], dims: Sequence[int]) -> Any:
    if not dims:
        return flat[0]
    step = len(flat) // dims[0] if dims[0] else 0
    return [_nested(flat[i * step : (i + 1) * step], dims[1:]) for i in range(dims[0])]


class Maker:
    """Draws and mutates candidates of one operator."""

    def __init__(self, definition: Definition, rng: random.Random) -> None:
        self._definition, self._rng, self._held = definition, rng, ""
        self._attributes = {attr.name: attr for attr in definition.attributes}
        self._numbers = {i.number_attr for i in definition.inputs if i.number_attr}
        self._type_lists = {i.type_list_attr for i in definition.inputs if i.type_list_attr}

    def holds(self) -> bool:
        """True if an input wraps its tensor."""
        return any(spec.dtype in HELD for spec in self._definition.inputs)

    # --- drawing ---

    def fresh(self, rank: int | None = None) -> Candidate:
        """A new candidate. If a rank is given, all inputs have it with equal dimensions, and attributes have their
        defaults."""
        rng, made = self._rng, Candidate()
        for name in sorted(self._numbers):
            made.counts[name] = max(self._attributes[name].minimum, rng.choice((1, 2, 2, 3)))
        for attr in self._definition.attributes:
            if attr.kind == "type":
                made.types[attr.name] = self._type(attr, plain=rank is not None)
            elif attr.name in self._type_lists:
                count = max(attr.minimum, rng.choice((1, 2, 2, 3)), 0)
                made.types[attr.name] = [self._type_of_list(attr) for _ in range(count)]
        base = self._dims([]) if rank is None else [rng.choice((2, 3, 4))] * rank
        for spec in self._definition.inputs:
            made.inputs[spec.name] = []
            for _ in range(self._count(made, spec)):
                if rank is not None:
                    dims = list(base)
                else:
                    dims = list(base) if rng.random() < 0.4 else self._dims([*made.shapes(), base])
                made.inputs[spec.name].append(self._filled(made, spec, dims))
        for attr in self._definition.attributes:
            if attr.given and attr.kind != "type":
                made.attributes[attr.name] = self._attribute(made, attr, plain=rank is not None)
        return made

    def _count(self, made: Candidate, spec: Input) -> int:
        if spec.number_attr:
            return made.counts[spec.number_attr]
        return len(made.types[spec.type_list_attr]) if spec.type_list_attr else 1

    def dtype(self, made: Candidate, spec: Input, place: int) -> str:
        """The dtype of an input's tensor."""
        if spec.type_list_attr:
            return str(made.types[spec.type_list_attr][place])
        if spec.dtype in HELD:
            types = [made.types[attr.name] for attr in self._definition.attributes if attr.kind == "type"]
            return str(types[0]) if types else "float32"
        return spec.dtype or str(made.types[spec.type_attr])

    def _type(self, attr: Attribute, *, plain: bool) -> str:
        choices = [dtype for dtype in DTYPES if not attr.allowed or dtype in attr.allowed]
        if not choices:
            return str(attr.allowed[0])
        if attr.has_default and attr.default in choices and self._rng.random() < 0.7:
            return str(attr.default)
        if plain or self._rng.random() < 0.7:
            return choices[0]
        return self._rng.choice(choices[:4] if self._rng.random() < 0.7 else choices)

    def _type_of_list(self, attr: Attribute) -> str:
        choices = [dtype for dtype in DTYPES if not attr.allowed or dtype in attr.allowed]
        return choices[0] if self._rng.random() < 0.8 else self._rng.choice(choices[:4])

    def _dims(self, others: Sequence[Sequence[int]]) -> list[int]:
        """Dimensions, mostly related to those of the other inputs."""
        rng = self._rng
        kind = rng.randrange(14 if others else 4)
        if kind == 0:
            return [rng.choice((1, 2, 3, 4))] * rng.randrange(6)
        if kind == 1:
            return [rng.choice((1, 2, 2, 3, 4, 6)) for _ in range(rng.choice((0, 1, 1, 2, 2, 3, 4, 5)))]
        if kind == 2:
            side = rng.choice((4, 6, 8))
            spatial = [side] * rng.choice((1, 2, 2, 3))
            return [rng.choice((1, 2)), *spatial, rng.choice((1, 2, 3, 4))]
        if kind == 3:
            return rng.choice(([], [1], [2], [3], [4], [2, 2]))
        other = list(rng.choice(others))
        cut = rng.randrange(len(other) + 1)
        number = rng.choice((1, 2, 3, 4))
        if kind in (4, 5):
            return other
        if kind == 6:
            return other[:cut]
        if kind == 7:
            return other[cut:]
        if kind == 8:
            return [*other, number] if len(other) < 5 else other
        if kind == 9:
            return [number, *other] if len(other) < 5 else other
        if kind == 10:
            return rng.choice(([len(other)], [max(len(other) - 2, 0)], [len(other), 2], [max(len(other) - 1, 0)]))
        if kind == 11 and other:
            return [*other[:-1], number]
        if kind == 12:
            mine = [2] * max(len(other) - 2, 0)
            return [*mine, other[-1], number] if len(other) >= 2 else other
        return other[::-1]

    def _filled(self, made: Candidate, spec: Input, dims: list[int]) -> Tensor:
        tensor = Tensor(dims)
        if spec.dtype in HELD:
            tensor.held = self._held if self._held in HELD[spec.dtype] else self._rng.choice(HELD[spec.dtype])
            if self._rng.random() < 0.1:
                self._held = self._rng.choice(HELD[spec.dtype])
            return tensor
        count = 1
        for dim in dims:
            count *= dim
        integers = self.dtype(made, spec, len(made.inputs.get(spec.name, ()))) in INTEGERS
        if integers and len(dims) <= 2 and 0 < count <= MOST_GIVEN and self._rng.random() < 0.85:
            self._fill(tensor, count, made.shapes())
        return tensor

    def _fill(self, tensor: Tensor, count: int, shapes: Sequence[Sequence[int]]) -> None:
        rng = self._rng
        kind = rng.randrange(11)
        if kind == 0:
            flat = [0] * count
        elif kind == 1:
            flat = [rng.choice((1, 1, 2, 3, 4, 6, -1))] * count
        elif kind == 2:
            flat = list(range(count))
        elif kind == 3:
            flat = list(range(count))[::-1]
        elif kind in (4, 5) and shapes:
            shape = list(rng.choice(shapes)) or [1]
            if len(tensor.dims) == 1:
                tensor.dims = [len(shape)]
                count = len(shape)
            start = rng.randrange(len(shape))
            flat = [shape[(start * (count == 1) + i) % len(shape)] for i in range(count)]
        elif kind == 6:
            flat = [rng.choice((0, 1, 2)) for _ in range(count)]
        elif kind == 7:
            flat = sorted(rng.choice((0, 1, 2, 3)) for _ in range(count))
        elif kind == 8:
            flat = rng.sample(range(count), count)
        elif kind == 9:  # ascending rows: indices into a tensor
            width = tensor.dims[-1] if tensor.dims else 1
            flat = [i // width for i in range(count)]
        else:
            flat = [rng.choice((1, 2, 3, 4)) for _ in range(count)]
        tensor.elements = flat

    def _attribute(self, made: Candidate, attr: Attribute, *, plain: bool = False) -> Any:
        rng, kind = self._rng, attr.kind
        dull = self.holds() and kind == "string" and not attr.allowed  # names, descriptions: hardly any string is valid
        if attr.has_default and (plain or dull or rng.random() < 0.5):
            return self._literal(kind, attr.default)
        if kind == "bool":
            return rng.random() < 0.5
        if kind == "string":
            return rng.choice(attr.allowed or WORDS)
        if kind == "float":
            return rng.choice((0.5, 1.0, 0.1, 0.0, 2.0))
        if kind == "int":
            dims = [dim for shape in made.shapes() for dim in shape] or [1]
            return max(attr.minimum, rng.choice((1, 1, 2, 2, 3, 4, 0, -1, rng.choice(dims), rng.choice(dims))))
        if kind == "shape":
            return list(rng.choice(made.shapes() or [[2]])) if rng.random() < 0.7 else self._dims(made.shapes())
        length = max(0, attr.minimum, self._length(made, attr))
        if kind == "list(int)":
            number = rng.choice((1, 1, 2, 2, 3))
            if length >= 3 and rng.random() < 0.6:
                return [1, *[number] * (length - 2), 1]
            if rng.random() < 0.3:
                return [rng.choice((0, 1, 2, 3)) for _ in range(length)]
            return [number] * length
        if kind == "list(float)":
            return [rng.choice((0.5, 1.0))] + [1.0] * (length - 1) if length else []
        if kind == "list(string)":
            return [rng.choice(attr.allowed or WORDS) for _ in range(length)]
        if kind == "list(shape)":
            return [list(rng.choice(made.shapes() or [[2]])) for _ in range(length)]
        if kind == "list(type)":
            choices = [dtype for dtype in DTYPES if not attr.allowed or dtype in attr.allowed]
            return [Literal(f"tf.{choices[0]}") for _ in range(length)]
        return rng.random() < 0.5  # list(bool) does not occur

    def _length(self, made: Candidate, attr: Attribute) -> int:
        choices = [1, 2, 3, 4, 4, 5]
        choices += [len(shape) for shape in made.shapes()]
        choices += [len(value) for name, value in made.attributes.items() if isinstance(value, list) and name != attr.name] * 3
        choices += [len(tensors) for tensors in made.inputs.values() if len(tensors) > 1]
        return self._rng.choice(choices)

    @staticmethod
    def _literal(kind: str, value: Any) -> Any:
        if kind == "list(type)":
            return [Literal(f"tf.{dtype}") for dtype in value]
        return copy.copy(value)

    # --- changing ---

    def changed(self, old: Candidate) -> Candidate:
        """A copy with one to three mutations."""
        new = old.copy()
        for _ in range(self._rng.choice((1, 1, 1, 2, 2, 3))):
            self._change(new)
        return new

    def _change(self, made: Candidate) -> None:
        rng = self._rng
        kind = rng.randrange(12)
        spec = rng.choice(self._definition.inputs) if self._definition.inputs else None
        tensors = made.inputs[spec.name] if spec else []
        given = [attr for attr in self._definition.attributes if attr.given and attr.kind != "type"]
        if kind <= 2 and tensors and spec:
            dims = self._dims(made.shapes())
            for place in range(len(tensors)) if rng.random() < 0.7 else (rng.randrange(len(tensors)),):
                tensors[place] = self._refilled(made, spec, place, list(dims))
        elif kind in (3, 4) and tensors and spec:
            place = rng.randrange(len(tensors))
            tensors[place] = self._refilled(made, spec, place, list(tensors[place].dims))
        elif kind == 5 and tensors and spec:
            place = rng.randrange(len(tensors))
            dims = list(tensors[place].dims)
            if dims:
                every = [dim for shape in made.shapes() for dim in shape]
                at = rng.randrange(len(dims))
                dims[at] = max(1, rng.choice((rng.choice(every), dims[at] + 1, dims[at] - 1, 2 * dims[at], dims[at] // 2)))
                tensors[place] = self._refilled(made, spec, place, dims)
        elif kind == 6:
            self._replace_everywhere(made)
        elif kind == 7:
            self._retype(made)
        elif kind == 8 and tensors and spec and tensors[0].elements:
            tensor = rng.choice(tensors)
            if tensor.elements:
                at = rng.randrange(len(tensor.elements))
                tensor.elements[at] += rng.choice((-2, -1, 1, 2))
        elif kind == 9 and (self._numbers or self._type_lists):
            self._recount(made)
        elif given:
            attr = rng.choice(given)
            made.attributes[attr.name] = self._attribute(made, attr)

    def _refilled(self, made: Candidate, spec: Input, place: int, dims: list[int]) -> Tensor:
        kept, made.inputs[spec.name] = made.inputs[spec.name], made.inputs[spec.name][:place]
        tensor = self._filled(made, spec, dims)
        made.inputs[spec.name] = kept
        return tensor

    def _replace_everywhere(self, made: Candidate) -> None:
        """Replaces one number by another in all dimensions and, sometimes, in all elements."""
        every = sorted({dim for shape in made.shapes() for dim in shape})
        if not every:
            return
        old, new = self._rng.choice(every), self._rng.choice((1, 2, 3, 4, 6, 8, *every))
        for spec in self._definition.inputs:
            for place, tensor in enumerate(made.inputs[spec.name]):
                if tensor.elements is not None and self._rng.random() < 0.5:
                    tensor.elements = [new if value == old else value for value in tensor.elements]
                if old in tensor.dims:
                    dims = [new if dim == old else dim for dim in tensor.dims]
                    made.inputs[spec.name][place] = self._refilled(made, spec, place, dims)

    def _retype(self, made: Candidate) -> None:
        types = [attr for attr in self._definition.attributes if attr.name in made.types]
        if not types:
            return
        attr = self._rng.choice(types)
        if attr.kind == "type":
            made.types[attr.name] = self._type(attr, plain=False)
        else:
            made.types[attr.name] = [self._type_of_list(attr) for _ in made.types[attr.name]]
        self._refill(made)

    def _recount(self, made: Candidate) -> None:
        rng = self._rng
        for name in sorted(self._numbers):
            made.counts[name] = max(self._attributes[name].minimum, rng.choice((1, 2, 3)))
        for name in sorted(self._type_lists):
            attr = self._attributes[name]
            made.types[name] = [self._type_of_list(attr) for _ in range(max(attr.minimum, rng.choice((0, 1, 2, 3))))]
        self._refill(made)

    def _refill(self, made: Candidate) -> None:
        """Repairs a mutated candidate: the right number of tensors, with elements that fit."""
        for spec in self._definition.inputs:
            tensors, count = made.inputs[spec.name], self._count(made, spec)
            while len(tensors) > count:
                tensors.pop()
            while len(tensors) < count:
                dims = list(tensors[0].dims) if tensors else self._dims(made.shapes())
                tensors.append(self._refilled(made, spec, len(tensors), dims))
            for place, tensor in enumerate(tensors):
                if (tensor.elements is not None) != (self.dtype(made, spec, place) in INTEGERS):
                    tensors[place] = self._refilled(made, spec, place, tensor.dims)

    # --- calls ---

    def arguments(self, made: Candidate, *, told: bool) -> list[tuple[str, bool, Any]]:
        """The keyword arguments in the order of the definition. `told`: elements are explicit; otherwise they are hints."""
        out: list[tuple[str, bool, Any]] = []
        for spec in self._definition.inputs:
            values = [
                self._value(tensor, self.dtype(made, spec, place), told=told)
                for place, tensor in enumerate(made.inputs[spec.name])
            ]
            out.append((spec.name, False, values if spec.number_attr or spec.type_list_attr else values[0]))
        for attr in self._definition.attributes:
            if attr.given:
                value = Literal(f"tf.{made.types[attr.name]}") if attr.kind == "type" else made.attributes[attr.name]
                out.append((attr.name, False, value))
        return out

    @staticmethod
    def _value(tensor: Tensor, dtype: str, *, told: bool) -> Any:
        dims, flat = tuple(tensor.dims), tensor.elements
        if flat is None:
            return TensorSpec(dims, dtype, held=tensor.held)
        nested = _nested(flat, dims)
        if told:
            return Elements(nested, dtype)
        return TensorSpec(dims, dtype, nested, (min(flat), max(flat) + 1))
