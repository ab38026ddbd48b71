"""A toy framework with one function of x's dimensions and of lists of integers, and calls of it."""

import math
from collections.abc import Callable, Sequence
from typing import Any

from rulefuzz.framework import Rejected
from traces.collect.call.spec import Call, Json, TensorSpec, Values
from traces.collect.call.symbolise import symbolise
from traces.collect.judge.framework import Output, ranged_elements

Answer = Callable[..., tuple[int, ...]]


class Told:
    """A framework with one function of x's dimensions and of lists of integers."""

    name, version = "told", "1"

    def __init__(self, answer: Answer) -> None:
        self._answer = answer
        self.asked = 0

    def compile(self, api: str, args: Sequence[Json]) -> Sequence[Json]:
        """The arguments as they are stated."""
        return args

    def run(self, call: Sequence[Json], values: Values, fill: str) -> tuple[Output, ...]:
        """Asks the function."""
        self.asked += 1

        def plain(value: Json) -> Any:
            if isinstance(value, list):
                return [plain(item) for item in value]
            if isinstance(value, str):
                return values[int(value[1:])]
            if "elements" in value:
                return plain(value["elements"])
            dims = plain(value["tensor"])
            if value["dtype"] == "float32":
                return dims
            count, benign = math.prod(dims), {"zeros": 0, "ones": 1, "small": 1}
            if "range" in value:
                low, high = plain(value["range"])
                return [int(item) for item in ranged_elements(count, low, high, fill, 1)]
            return [benign.get(fill, (-1) ** i * (90 + i)) for i in range(count)]

        try:
            return ((self._answer(*(plain(arg["value"]) for arg in call)), "float32"),)
        except (ValueError, TypeError) as error:  # lists of other lengths or another nesting
            raise Rejected(str(error)) from error

    def deterministic(self, call: Any, values: Values) -> bool:
        """Always."""
        return True


def sample(dims: Values, names: Sequence[str], *lists: Any, told: bool = True) -> Call:
    """A call of x and of tensors of integers with hints."""
    arguments: list[tuple[str, bool, Any]] = [("x", True, TensorSpec(dims, "float32"))]
    for name, items in zip(names, lists, strict=True):
        shape = (len(items), len(items[0])) if isinstance(items[0], list) else (len(items),)
        flat = [item for row in items for item in row] if isinstance(items[0], list) else items
        arguments.append((name, True, TensorSpec(shape, "int64", items if told else None, (min(flat), max(flat) + 1))))
    return symbolise("toy.f", arguments)
