"""Compares models of operator sets with their files: the set, the IR version of its release, the file that the package makes
for a target; and onnx's checker.

Exit code 1 if one differs or is rejected.
usage: onnx_sets.py FOLDER, with NAME.json and NAME.onnx of each model
"""

from __future__ import annotations

import collections
import json
import sys
from pathlib import Path
from typing import Any

import onnx

from rulefuzz import framework
from rulefuzz.model import Reader


def said(made: Any) -> Any:
    """The sets, the IR version, and the operators of a model."""
    sets = [(found.domain, found.version) for found in made.opset_import if not found.domain]
    return sets, made.ir_version, sorted(tensor.name for tensor in made.graph.input) if made.ir_version < 4 else ()


def main() -> int:
    """See the module."""
    adapter: Any = framework.load("onnx")
    reader, sets, bad = Reader(adapter), collections.Counter[int](), 0
    for path in sorted(Path(sys.argv[1]).glob("*.json")):
        item = json.loads(path.read_text())
        model, written = reader.model(item), onnx.load(path.with_suffix(".onnx"))
        sets[item["opset"]] += 1
        onnx.checker.check_model(written, full_check=True)
        made = adapter.subject(model, [], model.outputs)
        want = min(int(row[1]) for row in onnx.helper.VERSION_TABLE if row[2] >= item["opset"])
        told = said(written)
        if told[:2] != ([("", item["opset"])], want) or said(made)[:2] != told[:2] or not set(said(made)[2]) <= set(told[2]):
            print(f"{path.name}: {told}, {said(made)}, expected operator set {item['opset']}, IR version {want}")
            bad += 1
    print(f"{dict(sorted(sets.items()))}, {bad} differ")
    return 1 if bad or not sets else 0


if __name__ == "__main__":
    sys.exit(main())
