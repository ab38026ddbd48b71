"""Calls outside the specification, although the reference returns a result.

Most violate a requirement of unspecified.tsv: an expression that holds for calls with a specified result.

A name in an expression is an argument of the call: an array for a tensor, else its constant. `dtype` has the dtypes of tensors
by argument. A requirement of an argument that the call lacks is void.
"""

from __future__ import annotations

import ast
import functools
import math
from collections.abc import Mapping, Sequence
from types import CodeType
from typing import Any

import numpy as np

from rulefuzz.model import Const, Elements, Node, Ref, leaves
from rulefuzz.oracle.excuses import unspecified
from rulefuzz.oracle.excuses.call import Call, Result, bounds, said


def ascending(array: Any) -> bool:
    """Whether each row is sorted."""
    return bool((array[..., :-1] <= array[..., 1:]).all())


def consistent(equation: str, shapes: Sequence[Sequence[int]]) -> bool:
    """Whether each letter of an equation has one size."""
    sizes: dict[str, int] = {}
    for term, shape in zip(equation.replace(" ", "").partition("->")[0].split(","), shapes, strict=False):
        before, _, after = term.partition("...")
        pairs = [*zip(before, shape, strict=False), *zip(reversed(after), reversed(shape), strict=False)]
        if any(sizes.setdefault(letter, size) != size for letter, size in pairs):
            return False
    return True


FUNCTIONS = {"abs": abs, "ascending": ascending, "consistent": consistent, "inf": math.inf, "len": len, "max": max}
"""What else an expression may use, unless the call has an argument of that name."""


class Names(dict[str, Any]):
    """The names of an expression for one call, looked up on demand."""

    def __init__(self, node: Node, call: Call | None) -> None:
        self._node, self._call = node, call

    def __missing__(self, name: str) -> Any:
        found = getattr(self, f"_{name}", None)
        self[name] = found() if found else self._argument(name)
        return self[name]

    def _argument(self, name: str) -> Any:
        """An array or constant; None for an argument that the call lacks."""
        if self._call and name in self._call.given:
            return np.asarray(self._call.elements(name))
        return FUNCTIONS.get(name) if all(arg.name != name for arg in self._node.args) else said(self._node, name)

    def _dtype(self) -> Mapping[str, str]:
        call = self._call
        return {name: call.framework.describe(value)[1] for name, value in call.given.items()} if call else {}

    def _bits(self) -> int:
        """The width of the first result's integers; 0 for other results."""
        low, high = (self._call and bounds(self._call.dtypes[0])) or (0, 0)
        return (high - low).bit_length()

    def _last(self) -> Any:
        """The last operand, a tensor or a number."""
        last = list(leaves(self._node.args[-1].value))[-1]
        if isinstance(last, (Ref, Elements)) and self._call:
            return np.asarray(self._call.framework.seen(self._call.framework.build(last, self._call.values))[3])
        return last.value if isinstance(last, Const) else last

    def _scales(self) -> Any:
        """The elements of all arguments whose names end with "scale"."""
        call = self._call
        found = [call.elements(name) for name in call.given if name.endswith("scale")] if call else []
        return np.concatenate([np.ravel(np.asarray(array)) for array in found]) if found else None

    def _paired(self) -> bool:
        """Whether each zero point has the shape of its scale; () and (1,) are the same."""
        shapes = self._call.shapes if self._call else {}
        scales = {name.removesuffix("scale"): tuple(shape) for name, shape in shapes.items() if name.endswith("scale")}
        zeros = {name.removesuffix("zero_point"): tuple(shape) for name, shape in shapes.items() if name.endswith("zero_point")}
        pairs = [(zeros[name], scales[name]) for name in zeros.keys() & scales.keys()]
        return all(a == b or math.prod(a) == math.prod(b) == 1 for a, b in pairs)

    def _shapes(self) -> list[Sequence[int]]:
        """The shapes of all operands."""
        return [self._call.framework.describe(value)[0] for value in self._call.taken] if self._call else []

    def _made(self) -> int:
        """The maximum number of zero-size dimensions of a result."""
        return max(self._empty(result) for result in self._call.results) if self._call else 0

    def _taken(self) -> int:
        """The same of an operand."""
        return max(self._empty(value) for value in self._call.taken) if self._call else 0

    def _empty(self, tensor: Any) -> int:
        return tuple(self._call.framework.describe(tensor)[0]).count(0) if self._call else 0


OPERATIONS = (
    ast.Expression, ast.Name, ast.Constant, ast.Load, ast.Compare, ast.cmpop, ast.BoolOp, ast.boolop, ast.BinOp, ast.operator,
    ast.UnaryOp, ast.unaryop, ast.IfExp, ast.Subscript, ast.Slice, ast.Tuple, ast.Attribute, ast.Call,
)  # fmt: skip
"""The syntax of an expression."""
ATTRIBUTES = {"any", "dtype", "kind", "ndim", "shape", "size"}
"""The attributes of arrays that an expression may read."""


def _is_allowed(part: ast.AST) -> bool:
    if isinstance(part, ast.Call):
        return isinstance(part.func, ast.Attribute) or (isinstance(part.func, ast.Name) and part.func.id in FUNCTIONS)
    if isinstance(part, ast.Attribute):
        return part.attr in ATTRIBUTES
    return isinstance(part, OPERATIONS) and not (isinstance(part, ast.Name) and part.id.startswith("_"))


@functools.cache
def compiled(expression: str) -> CodeType:
    """The expression, which has nothing but arithmetic and comparisons. Raises ValueError."""
    tree = ast.parse(expression, "unspecified.tsv", "eval")
    for part in ast.walk(tree):
        if not _is_allowed(part):
            raise ValueError(f"unspecified.tsv: error: {expression!r}: {ast.unparse(part)!r} is not allowed")
    return compile(tree, "unspecified.tsv", "eval")


def holds(expression: str, node: Node, call: Call | None = None) -> bool:
    """Whether a requirement holds for a call. Without `call` only constants are known."""
    try:
        return bool(np.all(eval(compiled(expression), {"__builtins__": {}}, Names(node, call))))
    except (AttributeError, IndexError, KeyError, TypeError):  # an argument is missing
        return True


def violated(excuse: str, node: Node, operation: str) -> bool:
    """Whether the constants of a call violate a requirement."""
    return not all(holds(row.requirement, node) for row in unspecified.found(excuse, operation))


class Required(Result):
    """Results of calls that violate a requirement in the table."""

    def applies(self, subject: Call) -> bool:
        return not all(holds(row.requirement, subject.node, subject) for row in subject.rows)


class Undefined(Required):
    """A result that the specification leaves open."""

    name = "undefined-result"


class Violated(Required):
    """Elements or attributes that violate the specification."""

    name, violates = "violated-requirement", "elements"


class Lax(Required):
    """Dimensions that violate the specification, although the result is defined."""

    name, violates = "lax-dimensions", "dimensions"


class Outside(Result):
    """A call whose elements violate the specification."""

    violates = "elements"


class OtherForward(Outside):
    """A gradient of a call that did not happen."""

    name, everywhere = "gradient-of-another-call", True
    FORWARD = ("orig_input", "orig_output")
    """Arguments of gradient operations: what the original call used and returned."""

    def applies(self, subject: Call) -> bool:
        if not subject.arguments.issuperset(self.FORWARD) or not subject.ids.keys() >= set(self.FORWARD):
            return False
        taken, made = (subject.ids[arg] for arg in self.FORWARD)
        forward = subject.taint.made.get(made)
        if forward is None or taken not in forward.refs():
            return True
        told = {arg.name: arg.value for arg in forward.args if not isinstance(arg.value, Ref)}
        return not all(told.get(arg.name) == arg.value for arg in subject.node.args if not isinstance(arg.value, Ref))
