"""Calls as text, `torch.add(f32[2,3], i64[2,3])`: as arguments of records for a framework's adapter, and as they are for the
rules."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from traces.collect.call.spec import Elements, Json, Literal, TensorSpec, Values

_SHORT = {"f": "float", "bf": "bfloat", "i": "int", "u": "uint", "c": "complex"}
_TENSOR = re.compile(r"\b(bool|string|[a-z]+\d+)\[([\d,]*)\](?: in (\d+)\.\.(\d+))?")
_ELEMENTS = re.compile(r"(?<![\w.])([a-z]+\d+)\(([^()]*)\)")


@dataclass(frozen=True)
class Question:
    """One call."""

    text: str
    api: str
    args: list[Json]
    values: Values

    def value(self, of: Json) -> Any:
        """An argument as the plain value that `symbolise` takes."""
        if isinstance(of, list):
            return [self.value(item) for item in of]
        if "tensor" in of:
            bounds = tuple(self._size(symbol) for symbol in of["range"]) if "range" in of else None
            return TensorSpec(tuple(self._size(symbol) for symbol in of["tensor"]), of["dtype"], range=bounds)
        if "elements" in of:
            return Elements(_plain(of["elements"]), of["dtype"])
        return _plain(of)

    def _size(self, symbol: str) -> int:
        return self.values[int(symbol[1:])]


def _plain(value: Json) -> Any:
    if isinstance(value, list):
        return [_plain(item) for item in value]
    try:
        return ast.literal_eval(value["const"])
    except ValueError:
        return Literal(value["const"])


def dtype(short: str) -> str:
    """float32 for f32."""
    found = re.fullmatch(r"([a-z]+)(\d+)", short)
    return _SHORT[found[1]] + found[2] if found else short


class _Reader:
    """Reads the arguments; numbers the symbols of tensors."""

    def __init__(self) -> None:
        self.values: list[int] = []

    def symbol(self, value: int) -> str:
        self.values.append(value)
        return f"s{len(self.values) - 1}"

    def value(self, node: ast.expr) -> Json:
        """An argument; a tensor is a call of `_tensor` or `_elements`."""
        if isinstance(node, (ast.List, ast.Tuple)):
            return [self.value(item) for item in node.elts]
        if not isinstance(node, ast.Call):
            return {"const": ast.unparse(node)}
        head, *rest = [ast.literal_eval(arg) for arg in node.args]
        if isinstance(node.func, ast.Name) and node.func.id == "_elements":
            return {"elements": _constants(rest[0]), "dtype": head}
        tensor = {"tensor": [self.symbol(size) for size in rest[0]], "dtype": head}
        if rest[1] is not None:
            tensor["range"] = [self.symbol(rest[1]), self.symbol(rest[2] + 1)]
        return tensor


def _constants(value: Json) -> Json:
    return [_constants(item) for item in value] if isinstance(value, list) else {"const": repr(value)}


def _tensor(found: re.Match[str]) -> str:
    sizes = [int(size) for size in found[2].split(",") if size]
    return f"_tensor({dtype(found[1])!r}, {sizes}, {found[3]}, {found[4]})"


def question(text: str) -> Question:
    """From its text."""
    plain = _TENSOR.sub(_tensor, _ELEMENTS.sub(lambda m: f"_elements({dtype(m[1])!r}, {m[2]})", text))
    call = ast.parse(plain, mode="eval").body
    assert isinstance(call, ast.Call)
    reader = _Reader()
    args = [{"name": f"arg{at}", "pos": True, "value": reader.value(arg)} for at, arg in enumerate(call.args)]
    args += [{"name": word.arg, "pos": False, "value": reader.value(word.value)} for word in call.keywords]
    return Question(text, ast.unparse(call.func), args, tuple(reader.values))


def questions(path: Path) -> list[Question]:
    """The questions of a file, one a line."""
    return [question(line) for line in path.read_text(encoding="ascii").splitlines() if line]
