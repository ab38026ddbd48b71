"""ONNX: strict shape inference against onnxruntime, or the reference evaluator if that has no kernel."""

from __future__ import annotations

from typing import Any

import onnx

from rulefuzz.framework import Rejected, Unanswered
from rulefuzz.frameworks.onnx_evaluate import NoKernel, infer, inferred_outputs
from rulefuzz.sandbox import Limits
from traces.collect.call.spec import Values
from traces.collect.cross_check.noise import noise
from traces.collect.cross_check.opinion import DIFFERS, NOISE, NONE, SAME, Opinion, difference
from traces.collect.frameworks.onnx.adapter import OnnxAdapter
from traces.collect.frameworks.onnx.model import OnnxCall
from traces.collect.frameworks.onnx.runners import Evaluator, Runtime, describe
from traces.collect.judge.framework import BENIGN, NotTensors
from traces.collect.judge.oracle import Subject


class OnnxAsker:
    """See opinion.Asker."""

    def __init__(self, framework: OnnxAdapter, kind: str, limits: Limits) -> None:
        self._framework, self._kind, self.limits = framework, kind, limits

    def compile(self, subject: Subject) -> OnnxCall:
        """See Asker."""
        return self._framework.compile(subject.api, subject.args)

    def _live(self, call: OnnxCall, values: Values, fill: str) -> Any:
        """The result of running: an error message, or dimensions and dtype of each output."""
        model = call.model(values)
        arrays = [tensor.array(values, fill, self._framework.pools) for tensor in call.inputs]
        try:
            try:
                runner: Any = Runtime(model.SerializeToString(), self._framework.options(), strings=call.strings)
                ran = runner.run(call.inputs, arrays, call.names)
            except NoKernel:
                ran = Evaluator(model).run(call.inputs, arrays, call.names)
        except Rejected as error:
            return f"raises {' '.join(str(error).split())[:300]}"
        return [describe(value) for value in ran]

    def ask(self, call: OnnxCall, values: Values) -> list[Opinion]:
        """See Asker."""
        try:
            model = call.model(values).SerializeToString()
        except Rejected:
            return [Opinion(NONE)]
        try:
            said: Any = inferred_outputs(infer(model))
        except Rejected as error:
            said = f"raises {' '.join(str(error).split())[:300]}"
        try:
            live = self._live(call, values, "normal")
            if isinstance(live, str) and any(not isinstance(self._live(call, values, fill), str) for fill in BENIGN):
                return [Opinion(NOISE, "elements", live)]
        except (Unanswered, NotTensors, NoKernel, ValueError, TypeError, OverflowError, KeyError, AttributeError):
            return [Opinion(NONE)]
        what = difference(live, said)
        if not what:
            return [Opinion(SAME)]
        if what == "accepts" and not any(dim is not None and dim < 0 for dims, _ in said for dim in dims or ()):
            return [Opinion(NOISE, "lax", str(live), str(said))]  # inference may accept calls that fail when run
        row = noise(self._kind, live if isinstance(live, str) else "", said if isinstance(said, str) else "")
        return [Opinion(NOISE if row else DIFFERS, row.name if row else what, str(live), str(said))]

    def tiers(self) -> tuple[str, ...]:
        """See Asker."""
        return (self._kind,)

    def script(self, subject: Subject, values: Values, opinion: Opinion, kind: str) -> str:
        """See Asker."""
        call = self.compile(subject)
        text = onnx.printer.to_text(call.model(values))
        feeds = ", ".join(
            f'"{tensor.name}": np.ones({tuple(tensor.dims(values))}, "{tensor.dtype}")'
            for tensor in call.inputs if not tensor.is_constant)  # fmt: skip
        return f'''"""{subject.api}: {kind} {opinion.what}. onnx {onnx.__version__}."""
import sys
import numpy as np, onnx, onnxruntime
from onnx.shape_inference import infer_shapes

model = onnx.parser.parse_model("""{text}""")
def told(run):
    try: return run()
    except Exception as error: return "raises " + " ".join(str(error).split())[:300]
def live():
    session = onnxruntime.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])
    return [list(out.shape) for out in session.run(None, {{{feeds}}})]
def inferred():
    graph = infer_shapes(model, check_type=True, strict_mode=True, data_prop=True).graph
    return [[d.dim_value if d.HasField("dim_value") else None for d in o.type.tensor_type.shape.dim] for o in graph.output]

expected, actual = told(live), told(inferred)
print("expected:", expected)
print("actual:  ", actual)
rejected = [isinstance(x, str) for x in (expected, actual)]
other = not any(rejected) and any(
    len(x) != len(y) or any(m not in (n, None) for n, m in zip(x, y)) for x, y in zip(expected, actual))
sys.exit(1 if rejected[0] != rejected[1] or other else 0)
'''


def asker(framework: OnnxAdapter, kind: str, limits: Limits) -> OnnxAsker:
    """See kinds.asker_of."""
    return OnnxAsker(framework, kind, limits)


