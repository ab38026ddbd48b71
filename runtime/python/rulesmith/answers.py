"""Answers for any call: the arguments as text, which the library parses, binds and evaluates.

("torch.add", (2, 3), 1.0) ──text──► "torch.add((2,3,), 1.0)" ──rs_answer──► Answer"""

from __future__ import annotations

import ctypes
import json
from collections.abc import Mapping, Sequence
from typing import Any

from rulesmith import library as c
from rulesmith.calls import Answer, Elements, Name, Tensor


def text(name: str, args: Sequence[Any], kwargs: Mapping[str, Any]) -> str:
    """The text form of a call."""
    return f"{name}({', '.join([*map(_text, args), *(f'{key}={_text(value)}' for key, value in kwargs.items())])})"


def told(call: str) -> dict[str, Any]:
    """The library's answer to the text of a call, as `rulefuzz eval --call` prints it."""
    library = c.load()
    found = library.rs_answer(ctypes.byref(c.tables(library)), c.api_rules(library), call.encode())
    if not found:
        raise MemoryError
    try:
        answered: dict[str, Any] = json.loads(ctypes.string_at(found))
    finally:
        c.release(found)
    return answered


def answer(name: str, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Answer:
    """The rules' answer. ValueError for arguments that have no text form."""
    found = told(text(name, args, kwargs))
    if "error" in found:
        raise ValueError(f"{name}: {found['error']}")
    outputs = tuple(map(tuple, found["outputs"])) if found.get("valid") else None
    symbols = tuple(found.get("symbols", ()))
    dtypes = tuple(found["dtypes"]) if "dtypes" in found else None
    return Answer(outputs, found.get("why", ""), found.get("unknown", ""), found.get("signature", ""), symbols, dtypes)


def _text(value: Any) -> str:
    if value is None or isinstance(value, (bool, int, float)):
        return repr(value)
    if isinstance(value, str):
        return "'" + value.replace("\\", "\\\\").replace("'", "\\'") + "'"
    if isinstance(value, Tensor):
        bounds = f" in {value.low or 0}..{value.high - 1}" if value.high is not None else ""
        return _sizes(value.dtype, value.shape) + bounds
    if isinstance(value, Elements):
        return f"{value.dtype}({_text(value.value)})"
    if isinstance(value, list):
        return f"[{', '.join(map(_text, value))}]"
    if type(value) is tuple:
        return f"({''.join(_text(item) + ', ' for item in value)})"
    shape = value if isinstance(value, tuple) else getattr(value, "shape", None)
    if shape is not None:
        return _sizes(str(getattr(value, "dtype", "?")).rpartition(".")[2], shape)
    return value.text if isinstance(value, Name) else str(value)


def _sizes(dtype: str, shape: Sequence[int]) -> str:
    known = c.load().rs_dtype_parse(dtype.encode()) != _OTHER
    return f"{dtype if known else '?'}[{', '.join(map(str, shape))}]"


_OTHER = 19
"""RS_OTHER."""
