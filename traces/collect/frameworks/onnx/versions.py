"""Writes runtime/rules/op_versions.def, the operator sets from which an operator is the same call except for its
dtypes, and op_sets.def, the versions of every operator and the IR version of every operator set.

python -m traces.collect.frameworks.onnx.versions >runtime/rules/op_versions.def
python -m traces.collect.frameworks.onnx.versions sets >runtime/rules/op_sets.def
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any

import onnx

from rulefuzz.frameworks import onnx_evaluate as evaluate

DTYPES = ("bool uint8 uint16 uint32 uint64 int8 int16 int32 int64 float16 bfloat16 float32 float64 complex32 complex64 "
          "complex128 string").split()  # fmt: skip
"""As in enum rs_dtype."""
HEAD = """/* VERSION(operator, since, inputs, outputs): the versions of each operator that are the same call, by onnx {}
 * (evaluate.alike).
 *
 * An operator's first row is the version in force at operator set {}; the rows behind it are older ones, newest first. Of
 * these, inputs and outputs are the dtypes that each takes and gives, as bits of enum rs_dtype in hexadecimal; the last one
 * holds for all that follow it.
 *
 * Written by traces/collect/frameworks/onnx/versions.py; do not edit. */"""


SETS = """/* OPERATOR_SET(set, ir): the IR version of the oldest release that has the set, by VERSION_TABLE of onnx {}.
 * SINCE(operator, sets…): the sets in which the operator changed, oldest first; in the last one it may be deprecated.
 *
 * Written by traces/collect/frameworks/onnx/versions.py; do not edit. */"""


def mask(schema: Any, formal: Any) -> int:
    """The dtypes of an input or output."""
    allowed = {c.type_param_str: c.allowed_type_strs for c in schema.type_constraints}
    names = map(evaluate.dtype_name, allowed.get(formal.type_str, [formal.type_str]))
    return sum(1 << DTYPES.index(name) for name in set(names) if name in DTYPES)


def rows() -> Iterator[str]:
    """The lines of the table, operators in byte order."""
    history = evaluate.history()
    for name in sorted(history):
        if all(schema.since_version > evaluate.OPSET for schema in history[name]):
            continue
        newest = evaluate.schema_and_opset(f"onnx.{name}", history)[0]
        for schema in () if newest.deprecated else evaluate.alike(newest, history):
            sides = ("" if schema is newest else " ".join(f"{mask(schema, f):x}" for f in side)
                     for side in (schema.inputs, schema.outputs))  # fmt: skip
            yield 'VERSION("{}", {}, "{}", "{}")'.format(name, schema.since_version, *sides)


def sets() -> Iterator[str]:
    """The lines of the table of operator sets: IR versions, then operators in byte order."""
    for opset in range(evaluate.FIRST_OPSET, evaluate.OPSET + 1):
        yield f"OPERATOR_SET({opset}, {evaluate.ir_version(opset)})"
    history = evaluate.history()
    for name in sorted(history):
        yield f'SINCE("{name}", {", ".join(str(schema.since_version) for schema in history[name])})'


def main() -> None:
    """Prints one of the tables."""
    head, lines = (SETS, sets()) if sys.argv[1:] == ["sets"] else (HEAD, rows())
    print(head.format(onnx.__version__, evaluate.OPSET))
    print("\n".join(lines))


if __name__ == "__main__":
    main()
