"""Finds disagreements between onnx's strict inference, onnxruntime and the reference evaluator.

    python -m traces.collect.frameworks.onnx.disagree [FOLDER] [FILE]

It takes some passing and some failing records of each operator, runs each of the three alone, and writes a line for each
input on which they differ about validity or output shapes; onnxruntime a second time with constant tensors as graph
inputs (`fed`). These are candidates for findings. Each API's questions run in a child that may die.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rulefuzz import sandbox
from rulefuzz.framework import Rejected, Unanswered
from rulefuzz.frameworks.onnx_evaluate import NoKernel, contradicts, infer, inferred_outputs
from traces.collect.call.arglist import spread
from traces.collect.call.spec import Json, Values
from traces.collect.frameworks.onnx.adapter import OnnxAdapter
from traces.collect.frameworks.onnx.model import OnnxCall
from traces.collect.frameworks.onnx.runners import Evaluator, Runtime, describe
from traces.collect.judge.framework import NotTensors
from traces.collect.records.write import write_file

PASSING, FAILING = 5, 10
SECONDS = 60


def _outputs(run: Any) -> Json:
    """An implementation's answer: the outputs' dimensions, an error, or None if it cannot run the call."""
    try:
        return run()
    except Rejected as error:
        return {"error": " ".join(str(error).split())[:240]}
    except (Unanswered, NotTensors, NoKernel):
        return None


def _inferred(serialised: bytes) -> Json:
    return [dims for dims, _ in inferred_outputs(infer(serialised))]


def opinions(adapter: OnnxAdapter, call: OnnxCall, values: Values) -> dict[str, Json]:
    """Each implementation's answer for an input."""
    try:
        model, fed = call.model(values), call.model(values, fed=True)
    except Rejected:
        return {}
    serialised = model.SerializeToString()
    arrays = [tensor.array(values, "normal", adapter.pools) for tensor in call.inputs]

    def ran(make: Any) -> Any:
        return lambda: [list(describe(value)[0]) for value in make().run(call.inputs, arrays, call.names)]

    said = {"onnx": _outputs(lambda: _inferred(serialised))}
    if call.opset <= adapter.opset:
        said["onnxruntime"] = _outputs(ran(lambda: Runtime(serialised, adapter.options(), strings=call.strings)))
        if any(tensor.is_constant for tensor in call.inputs):
            text = fed.SerializeToString()
            said["fed"] = _outputs(ran(lambda: Runtime(text, adapter.options(), strings=call.strings, fed=True)))
    said["reference"] = _outputs(ran(lambda: Evaluator(model, call.classes)))
    return said


def differ(said: dict[str, Json]) -> str:
    """The disagreement, "" for none: the implementations that reject, or whose shapes differ."""
    heard = {who: answer for who, answer in said.items() if answer is not None}
    refusing = sorted(who for who, answer in heard.items() if isinstance(answer, dict))
    if refusing and len(refusing) < len(heard):
        return "rejected by " + " and ".join(refusing)
    if refusing:
        return ""
    shapes = {who: answer for who, answer in heard.items() if who != "onnx"}
    if len({json.dumps(answer) for answer in shapes.values()}) > 1:
        return "shapes of " + " and ".join(sorted(shapes))
    for dims, true in zip(heard.get("onnx") or [], next(iter(shapes.values()), []), strict=False):
        if contradicts(dims, true):
            return "shapes of onnx"
    return ""


def _api(adapter: OnnxAdapter, operators: Sequence[Json]) -> list[Json]:
    found = []
    for operator in operators:
        call = adapter.compile(operator["api"], operator["args"])
        inputs = [record[0] for record in spread(operator["pass"], PASSING)] + spread(operator["fail"], FAILING)
        seen: Counter[str] = Counter()
        for values in inputs:
            said = opinions(adapter, call, tuple(values))
            what = differ(said)
            seen[what] += 1
            if what and seen[what] <= 2:
                found.append({"api": operator["api"], "op": operator["op"], "in": values, "what": what, "said": said})
    return found


def _apart(adapter: OnnxAdapter, path: Path) -> list[Json]:
    operators = [json.loads(line) for line in path.read_text(encoding="ascii").splitlines()]
    found, end = sandbox.call(lambda: _api(adapter, operators), sandbox.Limits(wall=SECONDS))
    return list(found) if end.done else [{"api": path.stem, "what": end.how}]


def main() -> int:
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else "traces/onnx")
    target = Path(sys.argv[2] if len(sys.argv) > 2 else "build/traces/onnx/disagree.jsonl")
    adapter = OnnxAdapter()
    rows = [row for path in sorted(folder.glob("onnx.*.jsonl")) for row in _apart(adapter, path)]
    write_file(target, "".join(json.dumps(row, separators=(",", ":")) + "\n" for row in rows))
    print(f"{len(rows)} inputs with disagreements, in {target}")
    for what, count in Counter(row["what"] for row in rows).most_common():
        print(f"  {count:5} {what}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
