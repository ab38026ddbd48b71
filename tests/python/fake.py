"""A framework for tests of rulefuzz.validity: numpy arrays, and calls that fail in every way."""

from __future__ import annotations

import itertools
import os
import sys
from collections.abc import Callable, Sequence
from typing import Any, NoReturn

import numpy as np

from rulefuzz import arrays, validity
from rulefuzz.framework import Framework, Seen
from rulefuzz.model import Model, Node, Values
from rulefuzz.sandbox import Limits


def spin(x: Any) -> NoReturn:
    """Never returns."""
    while True:
        pass


def raises(x: Any) -> NoReturn:
    """Rejects all inputs."""
    raise ValueError("no")


COUNTER = itertools.count()
OPERATORS: dict[str, Callable[[Any], Any]] = {
    "fake.copy": lambda x: x.copy(),
    "fake.inverse": lambda x: 1 / x,
    "fake.zero": lambda x: x * 0,
    "fake.needs_sign": lambda x: raises(x) if (x >= 0).all() else x.copy(),
    "fake.gaps": lambda x: np.repeat(x, 2, 1)[:, ::2],
    "fake.needs_no_gaps": lambda x: x.copy() if x.flags.c_contiguous else raises(x),
    "fake.narrow": lambda x: x[:-1],
    "fake.half": lambda x: x.astype(np.float16),
    "fake.raises": raises,
    "fake.abort": lambda x: os.abort(),
    "fake.leave": lambda x: os._exit(0),
    "fake.spin": spin,
    "fake.counts": lambda x: x + next(COUNTER),
    "fake.shift": lambda x: x.copy(),
    "fake.jumps": lambda x: x * 1e5 % 1,
    "fake.overwrites": lambda x: np.negative(x, out=x).copy(),
    "fake.off": lambda x: x + 100,
    "fake.five": lambda x: x * 0 + 5,
    "fake.floor": np.floor,
    "fake.positive": lambda x: abs(x) + 1,
    "fake.times200": lambda x: x * 200,
    "fake.swings": lambda x: x * 2000 - x * 1999,
    "fake.wide_nan": lambda x: x * np.nan if x.dtype == np.float64 else x.copy(),
    "fake.narrowly": lambda x: (x + 100 if x.dtype == np.float64 else x).copy(),
}


class Fake(Framework):
    """See Framework."""

    name = "fake"
    reference = "numpy"

    def __init__(self) -> None:
        super().__init__()
        self.apis = frozenset(OPERATORS)

    def resolve(self, api: str) -> Any:
        return OPERATORS[api]

    def has_dtype(self, name: str) -> bool:
        return True

    def versions(self) -> dict[str, str]:
        return {"fake": "1"}

    def reseed(self, seed: int) -> None:
        np.seterr(all="ignore")

    def tensor(self, array: Any, dtype: str) -> Any:
        return array.astype(dtype)

    def elements(self, items: Any, dtype: str) -> Any:
        return np.array(items, dtype)

    def plain(self, tensor: Any) -> Any:
        return tensor if tensor.flags.c_contiguous else tensor.copy()

    def copy(self, tensor: Any) -> Any:
        return tensor.copy()

    def span(self, nodes: Sequence[Node], start: int, dtypes: dict[int, str]) -> int:
        return min(len(nodes) - start, 2)

    def run(self, nodes: Sequence[Node], values: Values) -> list[Any]:
        known = dict(values)
        made = []
        for node in nodes:
            made.append(self.call(node, known))
            known[node.outputs[0].id] = made[-1]
        return made

    def call(self, node: Node, values: Values) -> Any:
        return node.function(*(self.build(arg.value, values) for arg in node.args))

    def is_tensor(self, value: Any) -> bool:
        return isinstance(value, np.ndarray)

    def describe(self, tensor: Any) -> tuple[tuple[int, ...], str]:
        return tensor.shape, tensor.dtype.name

    def finite(self, tensor: Any) -> bool:
        return bool(np.isfinite(tensor).all())

    def extent(self, tensor: Any) -> tuple[bool, Any, Any]:
        return arrays.extent(tensor)

    def seen(self, tensor: Any) -> Seen:
        return "", tensor.shape, tensor.dtype.name, arrays.wide(tensor, tensor.dtype.name)

    def shaker(self, seed: int, lean: float = 0.0) -> Any:
        shake = arrays.shaker(seed, lean)
        return lambda tensor: shake(tensor, tensor.dtype.name)

    def widened(self, tensor: Any) -> Any:
        return tensor.astype(np.float64)

    def second(self, node: Node, values: Values) -> list[Any] | None:
        """A second implementation of two calls."""
        x = values[node.refs()[0]]
        return {"fake.copy": [x.copy()], "fake.off": [x]}.get(node.api)

    def narrowed(self, tensor: Any, dtype: str) -> Any:
        return tensor.astype(dtype)

    def subject(self, model: Model, results: Sequence[Any], outputs: Sequence[int]) -> Any:
        """A function that interprets the model."""

        def run(*inputs: Any) -> list[Any]:
            values = {t.id: array for t, array in zip(model.fed, inputs, strict=True)} | self.constants(model)
            for node in model.nodes:
                values[node.outputs[0].id] = self.call(node, values)
            return [values[i] for i in outputs]

        return run

    def warm_up(self) -> Any:
        raise NotImplementedError

    def script(self, model: Model, results: Sequence[Any]) -> Any:
        raise NotImplementedError


if __name__ == "__main__":
    sys.exit(validity.judge_all(Fake(), validity.parser().parse_args(), Limits(memory=4 << 30, cpu=1.0, wall=60.0)))
