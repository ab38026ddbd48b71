"""Writes tables of ONNX's operators:

- op_versions.def: the operator sets from which an operator is the same call except for its dtypes
- op_sets.def: the versions of every operator, and the IR version of every operator set
- op_four_bits.def: the operators that have 4-bit integers
- onnx_sets.py: the operators of other domains that need a later operator set of the default domain

python -m traces.collect.frameworks.onnx.versions >runtime/rules/op_versions.def
python -m traces.collect.frameworks.onnx.versions sets >runtime/rules/op_sets.def
python -m traces.collect.frameworks.onnx.versions four-bits >runtime/rules/op_four_bits.def
python -m traces.collect.frameworks.onnx.versions domains >runtime/python/rulefuzz/frameworks/domains/onnx_sets.py

The last command comes first, since op_sets.def has its result. It loads the recorded calls of other domains in onnxruntime
with each operator set of the default domain. onnxruntime replaces some of these calls by calls of the default domain.
"""

from __future__ import annotations

import json
import string
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import onnx
import onnxruntime

from rulefuzz import sandbox
from rulefuzz.framework import Rejected
from rulefuzz.frameworks import onnx_evaluate as evaluate
from rulefuzz.frameworks.domains.onnx import schemas
from rulefuzz.frameworks.domains.onnx_sets import FIRST_SETS
from traces.collect.call import arglist
from traces.collect.frameworks.onnx.model import OnnxCall

DTYPES = ("bool uint4 uint8 uint16 uint32 uint64 int4 int8 int16 int32 int64 float16 bfloat16 float32 float64 complex32 "
          "complex64 complex128 string").split()  # fmt: skip
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
 * An operator of another domain has the first set in which it loads; set {} if it is missing.
 *
 * Written by traces/collect/frameworks/onnx/versions.py; do not edit. */"""


FOUR_BITS = """/* FOUR_BITS(operator, since, inputs, outputs): the versions of operators that have tensors of int4 and
 * uint4, by onnx {}. A letter for each input and output, the same for the same type; upper-case if the type may be int4 or
 * uint4. The last letter holds for all inputs or outputs that follow.
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
    for name, first in sorted(FIRST_SETS.items()):
        yield f'SINCE("{name}", {first})'


MODULE = '''"""Operators of other domains that need a later operator set of the default domain than 7, by onnxruntime {}.

Written by traces/collect/frameworks/onnx/versions.py; do not edit.
"""

FIRST_SETS: dict[str, int] = {{'''
FOLDER = Path("traces/onnx").resolve()
SECONDS = 60.0
"""For the recorded calls of an operator."""


def _loads(model: Any, opset: int) -> bool:
    next(operators for operators in model.opset_import if not operators.domain).version = opset
    try:
        onnxruntime.InferenceSession(model.SerializeToString(), evaluate.session_options(), providers=["CPUExecutionProvider"])
    except Exception:
        return False
    return True


def _first_of(model: Any) -> int:
    """The first set in which onnxruntime loads a model; the first of all if it loads it in none."""
    sets = range(evaluate.FIRST_OPSET, evaluate.OPSET + 1)
    return next((opset for opset in sets if _loads(model, opset)), evaluate.FIRST_OPSET)


def first_set(name: str, path: Path) -> int:
    """The first set in which onnxruntime loads the recorded calls of an operator, with all of their dtypes."""
    first = evaluate.FIRST_OPSET
    for record in map(json.loads, path.read_text(encoding="ascii").splitlines()):
        rows = arglist.full(record) or record["pass"]
        for dtypes, _ in record["dtypes"] if rows else ():
            call = OnnxCall(schemas()[name], evaluate.OPSET, arglist.with_dtypes(record["args"], dtypes))
            try:
                first = max(first, _first_of(call.model(tuple(rows[len(rows) // 2][0]))))
            except Rejected:
                continue
    return first


def domains() -> Iterator[str]:
    """The rows of the module of other domains' operators, each tried in a child that may die."""
    for name in sorted(schemas()):
        path = FOLDER / f"onnx.{name}.jsonl"
        found = sandbox.call(lambda: first_set(name, path), sandbox.Limits(wall=SECONDS))[0] if path.exists() else None  # noqa: B023
        if found and found > evaluate.FIRST_OPSET:
            yield f'    "{name}": {found},'
    yield "}"


def four_bits() -> Iterator[str]:
    """The lines of the table of 4-bit integers, operators in byte order, oldest version first."""
    both = {"tensor(int4)", "tensor(uint4)"}
    history = evaluate.history()
    for name in sorted(history):
        for schema in history[name]:
            allowed = {c.type_param_str: both <= set(c.allowed_type_strs) for c in schema.type_constraints}
            kinds = [[formal.type_str for formal in side] for side in (schema.inputs, schema.outputs)]
            order = list(dict.fromkeys(kind for side in kinds for kind in side))
            letters = {kind: (string.ascii_uppercase if allowed.get(kind) else string.ascii_lowercase)[i]
                       for i, kind in enumerate(order)}  # fmt: skip
            if schema.since_version <= evaluate.OPSET and any(letter.isupper() for letter in letters.values()):
                sides = ("".join(letters[kind] for kind in side) for side in kinds)
                yield 'FOUR_BITS("{}", {}, "{}", "{}")'.format(name, schema.since_version, *sides)


def main() -> None:
    """Prints one of the tables."""
    if sys.argv[1:] == ["domains"]:
        onnxruntime.set_default_logger_severity(4)
        print(MODULE.format(onnxruntime.__version__))
        print("\n".join(domains()))
        return
    tables = {"sets": (SETS, sets, evaluate.FIRST_OPSET), "four-bits": (FOUR_BITS, four_bits, evaluate.OPSET)}
    head, lines, opset = tables.get("".join(sys.argv[1:]), (HEAD, rows, evaluate.OPSET))
    print(head.format(onnx.__version__, opset))
    print("\n".join(lines()))


if __name__ == "__main__":
    main()
