"""Kinds of arguments as letters, so that a call's dtypes are a short word.

a b c …   a tensor of the dtype, in the order of rs_dtype (runtime/include/ruletable.h); also a constant that names it
A B C …   a tensor of the dtype without dimensions, if that matters
0 1 2 3   a Python bool, int, float or complex number
"""

from __future__ import annotations

import ast

DTYPES = (
    "bool", "uint4", "uint8", "uint16", "uint32", "uint64", "int4", "int8", "int16", "int32", "int64", "float16", "bfloat16",
    "float32", "float64", "complex32", "complex64", "complex128", "string",
)  # fmt: skip
NUMBERS = {"0": "True", "1": "2", "2": "1.5", "3": "(1+2j)"}
"""The number that stands for all of its kind."""
ACCEPTED_FIRST = "!"
"""The first letter of outcomes: `!` is the first entry of a list of outputs."""
REJECTED, UNTRIED = "-", "."

_LETTER = {dtype: chr(ord("a") + place) for place, dtype in enumerate(DTYPES)}


def letter(dtype: str) -> str:
    """The letter of a dtype; "" if it has none."""
    return _LETTER.get(dtype, "")


def dtype_of(text: str) -> str:
    """The dtype of a tensor's letter, with or without dimensions."""
    return DTYPES[ord(text.lower()) - ord("a")]


def number(text: str) -> str:
    """The letter of a number's text; "" for other texts."""
    try:
        value = float(text) if text.lstrip("-") in ("inf", "nan") else ast.literal_eval(text)
    except (ValueError, SyntaxError):
        return ""
    return {bool: "0", int: "1", float: "2", complex: "3"}.get(type(value), "")
