"""The values that plain calls give to a parameter: small sizes with ties, each axis, each flag, lists of each length."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import permutations
from typing import Any

from traces.collect.call.spec import Elements, Json, Literal, TensorSpec
from traces.collect.call.symbolise import INDEX_NAME
from traces.collect.plain.parameters import Parameter

SIZES = (2, 4, 6, 3, 1)
"""All dimensions of a call are equal to one of these, so that most relations between sizes hold. A squeeze takes 1 only."""
RANKS = (2, 3, 4, 1, 0)
"""Ranks of a call's first tensor, the most common ones first."""
LONGEST = 6
"""Integers of a list; tensors of a list are at most LONGEST - 1."""
INDEX = "int64"
"""The dtype of tensors that hold indices."""
FLOATS = (0.5, 2.0)
PAIRS = ((1, 1), (0, 1), (2, 1), (0, 0))
"""Rows of a matrix with a pair for each dimension, such as paddings."""
WORDS = 6
"""Strings tried for a parameter."""
SCALARS = {"Scalar", "float", "complex", "number"}
WIDTHS = ("int16", "int32", "uint8", "int64")
"""Dtypes tried for a parameter, of each width: a view as another dtype has a size by their widths."""

Written = tuple[str, int]
"""The dtype and the rank of a tensor whose elements are written one by one."""
Choice = tuple[Any, ...]
"""Values of one kind. At least one of them should make the call valid."""


@dataclass
class Known:
    """Observations from recorded calls, by parameter name."""

    texts: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    dtypes: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    indices: set[str] = field(default_factory=set)
    """Names of integer tensors whose elements must lie in a range."""
    sorts: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    """For parameters of any type: `Tensor`, `int`, or one of these with [] for a list, or `Elements`."""
    elements: dict[str, set[Written]] = field(default_factory=lambda: defaultdict(set))
    """Parameters whose tensors' elements are written one by one, such as axes and shapes in ONNX and TensorFlow."""

    codes: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    """Integers that recorded calls keep constant: numbers of outputs, flags."""

    def add(self, args: Sequence[Json]) -> None:
        """Adds a recorded signature."""
        for arg in args:
            name, value = arg["name"], arg["value"]
            items = value if isinstance(value, list) else [value]
            mark = "[]" if isinstance(value, list) else ""
            for item in items:
                if isinstance(item, str):
                    self.sorts[name].add("int" + mark)
                elif isinstance(item, dict) and "tensor" in item:
                    self.sorts[name].add("Tensor" + mark)
                    self.dtypes[name].add(item["dtype"])
                    self.indices |= {name} if "range" in item else set()
                    if "range" in item and len(item["tensor"]) <= 1 and INDEX_NAME.search(name) and not mark:
                        self.sorts[name].add("Elements")
                        self.elements[name].add((item["dtype"], len(item["tensor"])))
                elif isinstance(item, dict) and "elements" in item and not mark:
                    self.sorts[name].add("Elements")
                    self.elements[name].add(written(item))
                elif isinstance(item, dict) and item.get("const", "").removeprefix("-").isdigit() and not mark:
                    self.codes[name].add(item["const"])
                elif isinstance(item, dict) and item.get("const", "").startswith("'"):
                    self.texts[name].add(item["const"][1:-1])


def written(item: Json) -> Written:
    """Of a recorded argument with elements."""
    value, rank = item["elements"], 0
    while isinstance(value, list):
        value, rank = value[0] if value else None, rank + 1
    return item["dtype"], rank


def tensor(rank: int, size: int, dtype: str) -> TensorSpec:
    """A tensor with all dimensions of this size; the elements of an integer one index such a dimension."""
    return TensorSpec((size,) * rank, dtype, range=(0, size) if dtype == INDEX else None)


def _lists(size: int, numel: int, length: int) -> list[list[int]]:
    """Lists of integers: ones, equal parts of a size, sizes, zeros; and those that keep the number of elements."""
    found = [[1] * length, [size] * length, [0] * length, [2] * length]
    if length:
        found += [[max(size // length, 1)] * length, [numel] + [1] * (length - 1), [-1] + [1] * (length - 1)]
    return found


def _axes(rank: int) -> list[list[int]]:
    """Lists of axes: each one, neighbours, all, one order of all, and some with an axis twice."""
    found = [[axis] for axis in range(-1, rank)] + [[axis, axis + 1] for axis in range(-2, rank - 1)]
    found += [list(range(count)) for count in range(3, rank + 1)]
    found += [list(order) for order in list(permutations(range(rank)))[-1:] if rank > 1]
    return found + [[0] * count for count in range(2, rank + 2)]


def _text(value: Any) -> str:
    return value.text if isinstance(value, Literal) else repr(value)


class Maker:
    """The choices for parameters of calls whose dimensions all have one size."""

    def __init__(self, everywhere: Known, own: Known) -> None:
        self._everywhere, self._own = everywhere, own

    def _main(self, name: str) -> str:
        own = self._own.dtypes[name] - ({INDEX} if name in self._own.indices else set())
        return "float32" if "float32" in own or not own else min(own)

    def _dtypes(self, name: str) -> list[str]:
        """The main dtype of tensors of this name in recorded calls of this API, and that of masks and indices if tensors of
        this name are such in recorded calls of any API."""
        if name in self._own.indices and self._own.dtypes[name] == {INDEX}:
            return [INDEX]
        masks = ["bool"] if "bool" in self._own.dtypes[name] else []
        indices = [INDEX] if name in self._everywhere.indices else []
        return list(dict.fromkeys([self._main(name), *masks, *indices]))

    def first(self, name: str, rank: int) -> list[Choice]:
        """The first tensor of a call: of the main dtype, or of the indices' if recorded calls have both."""
        indices = [INDEX] if INDEX in self._own.dtypes[name] else []
        return [tuple(tensor(rank, size, dtype) for size in SIZES) for dtype in dict.fromkeys([self._main(name), *indices])]

    def _tensors(self, name: str, ranks: Iterable[int]) -> list[Choice]:
        """A tensor of each rank and dtype."""
        return [tuple(tensor(rank, size, dtype) for size in SIZES) for dtype in self._dtypes(name) for rank in ranks]

    def choices(self, parameter: Parameter, rank: int) -> list[Choice]:
        """The choices for a parameter of a call whose first tensor has this rank; the plainest first."""
        sorts = [parameter.type + "[]" * parameter.is_list]
        if parameter.type == "any" or (sorts == ["Tensor"] and parameter.name in self._own.elements):
            sorts = sorted(self._own.sorts[parameter.name])
        found = [choice for sort in sorts for choice in self._of(sort, parameter, rank)]
        if parameter.optional and parameter.default is None:
            found.insert(1, (None,))
        return [choice for choice in found if parameter.default is None or _text(choice[0]) != parameter.default]

    def _elements(self, dtype: str, depth: int, parameter: Parameter, rank: int) -> list[Choice]:
        """Tensors of a dtype and a rank (`depth`) with written elements; `rank` is the first tensor's."""
        if "int" not in dtype:
            values = FLOATS if depth == 0 else tuple([number] * length for number in FLOATS for length in range(1, LONGEST + 1))
            numbers = [tuple(Elements(value, dtype) for value in values)] if depth <= 1 else []
            return numbers + self._elements(INDEX, depth, parameter, rank)  # a count may be a float
        if depth <= 1:
            found = self._of("int" + "[]" * depth, parameter, rank)
            found = [choice for choice in found if isinstance(choice[0], list) == bool(depth)]
            return [tuple(Elements(value, dtype) for value in choice) for choice in found]
        pairs = tuple(Elements([[before, after]] * rank, dtype) for before, after in PAIRS)
        return [pairs] if depth == 2 and rank else []

    def _of(self, sort: str, parameter: Parameter, rank: int) -> list[Choice]:
        name, is_axis = parameter.name, INDEX_NAME.search(parameter.name) is not None
        if sort == "Tensor":
            ranks = dict.fromkeys((rank, 1, max(rank - 1, 0), 0, 2, rank + 1))
            return [*self._tensors(name, ranks), *([] if name in self._own.elements else [(1,), (2.0,)])]
        if sort == "Elements":
            recorded = sorted(self._own.elements[name])
            others = {(dtype, 1 - depth) for dtype, depth in recorded if depth <= 1}  # a number for a list of one, and back
            return [one for item in [*recorded, *sorted(others.difference(recorded))]
                    for one in self._elements(*item, parameter, rank)]  # fmt: skip
        if sort == "Tensor[]":
            return [tuple([tensor(rank, size, "float32")] * count for size in SIZES) for count in range(1, LONGEST)]
        if sort == "int" and is_axis:
            return [(axis,) for axis in range(-1, max(rank, 1))]
        if sort == "int" and name in self._own.codes:
            return [(Literal(code),) for code in sorted(self._own.codes[name])[:WORDS]]
        if sort in ("int", "Scalar"):
            integers: list[Choice] = [tuple(dict.fromkeys((1, 2, *SIZES, 0)))]
            return integers + [(FLOATS[0],)] * (sort == "Scalar")
        if sort == "int[]" and is_axis:
            return [(axis,) for axis in range(-1, max(rank, 1))] + [(axes,) for axes in _axes(rank)]
        if sort == "int[]":
            lists = [tuple(item for size in SIZES for item in _lists(size, size**rank, length))
                     for length in range(1, LONGEST + 1)]  # fmt: skip
            return lists if parameter.packed else [(1, 2, *SIZES, 0), *lists]
        if sort == "bool":
            return [(True,), (False,)]
        if sort == "ScalarType":
            return [(Literal(f"torch.{dtype}"),) for dtype in WIDTHS]
        if sort in SCALARS:
            return [FLOATS]
        if sort == "str":
            texts = [*sorted(self._own.texts[name]), *sorted(self._everywhere.texts[name])]
            return [(text,) for text in list(dict.fromkeys(texts))[:WORDS]]
        return []
