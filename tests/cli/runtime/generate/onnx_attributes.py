"""Whether the kind of an attribute's literal is the type that ONNX's schema asks for, in all records of ONNX.

runtime/model/onnx/write_onnx.c derives the type from the literal. Prints what differs, and ends with 1 then.
usage: onnx_attributes.py FOLDER
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[4]))

import traces.collect  # noqa: F401  has Python find rulefuzz
from rulefuzz.frameworks.onnx_evaluate import OUTPUTS, constant, history, schema_and_opset

KINDS = {int: "INT", float: "FLOAT", str: "STRING", tuple: "TENSOR"}


def kind(value: Any) -> str:
    """The type of an attribute with this value, as the writer has it."""
    if isinstance(value, list):
        return (kind(value[0]) if value else "INT") + "S"
    if isinstance(value, str):
        return "INT"  # a symbol
    return KINDS[type(constant(value["const"]))]


def main() -> int:
    """See the module."""
    schemas = history()
    wrong = count = 0
    for path in sorted(Path(sys.argv[1]).glob("*.jsonl")):
        for line in path.read_text().splitlines():
            record = json.loads(line)
            schema, _ = schema_and_opset(record["api"], schemas)
            for arg in record["args"]:
                if arg["pos"] or arg["name"] == OUTPUTS:
                    continue
                count += 1
                want = schema.attributes[arg["name"]].type.name
                if kind(arg["value"]) != want:
                    wrong += 1
                    print(f"{record['op']}: {arg['name']} is {kind(arg['value'])}, not {want}")
    print(f"{count} attributes, {wrong} wrong")
    return 0 if count and not wrong else 1


if __name__ == "__main__":
    sys.exit(main())
