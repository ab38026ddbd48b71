"""TensorFlow: graph functions with their inferred shapes, against eager calls."""

from __future__ import annotations

from typing import Any

from rulefuzz.frameworks.tensorflow_evaluate import QUANTIZED, tf
from rulefuzz.sandbox import Limits
from traces.collect.call.spec import Json, Values
from traces.collect.cross_check.noise import noise
from traces.collect.cross_check.opinion import DIFFERS, NOISE, NONE, SAME, Opinion, difference
from traces.collect.frameworks.tensorflow.adapter import Building, TensorFlowAdapter, TensorFlowCall, flatten
from traces.collect.judge.framework import BENIGN, NotTensors
from traces.collect.judge.oracle import Subject


class TensorFlowAsker:
    """See opinion.Asker."""

    def __init__(self, framework: TensorFlowAdapter, kind: str, limits: Limits) -> None:
        self._framework, self._kind, self.limits = framework, kind, limits

    def compile(self, subject: Subject) -> TensorFlowCall | None:
        """See Asker."""
        held = any('"held"' in str(arg).replace("'", '"') for arg in subject.args)
        call = self._framework.compile(subject.api, subject.args)
        return None if held or call.nothing else call

    def ask(self, call: TensorFlowCall | None, values: Values) -> list[Opinion]:
        """See Asker."""
        if call is None:
            return [Opinion(NONE)]
        try:
            live = _told(lambda: call.function(**call.arguments(values, "normal", Building())))
            if isinstance(live, str):
                for fill in BENIGN:
                    if not isinstance(_told(lambda fill=fill: call.function(**call.arguments(values, fill, Building()))), str):
                        return [Opinion(NOISE, "elements", live)]
            inferred, said = _in_graph(call, values)
        except NotTensors:
            return [Opinion(NONE)]
        lax = isinstance(live, str) and isinstance(said, str)  # inference may accept calls that fail when run
        heard = inferred if not isinstance(live, str) and difference(live, inferred) else said
        what = difference(live, heard)
        if lax or not what:
            return [Opinion(SAME)]
        row = noise(self._kind, live if isinstance(live, str) else "", heard if isinstance(heard, str) else "")
        return [Opinion(NOISE if row else DIFFERS, row.name if row else what, str(live), str(heard))]

    def tiers(self) -> tuple[str, ...]:
        """See Asker."""
        return (self._kind,)

    def script(self, subject: Subject, values: Values, opinion: Opinion, kind: str) -> str:
        """See Asker."""
        args = ", ".join(f"{arg['name']}={_spelt(arg['value'], values)}" for arg in subject.args)
        return f'''"""{subject.api}: {kind} {opinion.what}. TensorFlow {tf.__version__}."""
import os, sys
os.environ["TF_CPP_MIN_LOG_LEVEL"], os.environ["TF_ENABLE_ONEDNN_OPTS"] = "3", "0"
import tensorflow as tf

args = lambda: dict({args})
def shapes(out):
    return [x.shape.as_list() if x.shape.rank is not None else None for x in tf.nest.flatten(out) if hasattr(x, "shape")]
def told(run):
    try: return shapes(run())
    except Exception as error: return f"raises {{type(error).__name__}}: {{error}}"[:300]
def inferred():
    given = args()
    return tf.function(lambda: {subject.api}(**given)).get_concrete_function().outputs
def ran():
    given = args()
    return tf.function(lambda: {subject.api}(**given))()

expected, static, actual = told(lambda: {subject.api}(**args())), told(inferred), told(ran)
def differ(a, b):
    if isinstance(a, str) or isinstance(b, str): return isinstance(a, str) != isinstance(b, str)
    return any(y is not None and (len(x) != len(y) or any(m not in (n, None) for n, m in zip(x, y))) for x, y in zip(a, b))
print("expected:", expected)
print("actual:  ", static, "inferred,", actual, "run")
sys.exit(1 if differ(expected, actual) or not isinstance(expected, str) and differ(expected, static) else 0)
'''


def _told(run: Any) -> Any:
    try:
        out = run()
    except Exception as error:
        return f"raises {type(error).__name__}: " + " ".join(str(error).split())[:300]
    return [(x.shape.as_list() if x.shape.rank is not None else None, x.dtype.name) for x in flatten(out)]


def _in_graph(call: TensorFlowCall, values: Values) -> tuple[Any, Any]:
    """The result of inference, and of running the graph."""
    given = call.arguments(values, "normal", Building())
    function = tf.function(lambda: call.function(**given), autograph=False)
    inferred = _told(lambda: list(function.get_concrete_function().outputs))
    return inferred, inferred if isinstance(inferred, str) else _told(function)


def _spelt(value: Json, values: Values) -> str:
    """An argument as Python source."""
    if isinstance(value, str):
        return str(values[int(value[1:])])
    if isinstance(value, list):
        return "[" + ", ".join(_spelt(item, values) for item in value) + "]"
    if "const" in value:
        text = str(value["const"])
        return f'float("{text}")' if text.lstrip("-") in ("inf", "nan") else text
    dtype = value["dtype"]
    if "elements" in value:
        return f"tf.constant({_spelt(value['elements'], values)}, tf.{dtype})"
    dims = [values[int(symbol[1:])] for symbol in value["tensor"]]
    if dtype == "string":
        return f'tf.fill({dims}, "0001")'
    if "range" in value:
        return f"tf.fill({dims}, tf.constant({values[int(value['range'][0][1:])]}, tf.{dtype}))"
    made = f"tf.ones({dims}, tf.{QUANTIZED.get(dtype, dtype)})"
    return f"tf.bitcast({made}, tf.{dtype})" if dtype in QUANTIZED else made


def asker(framework: TensorFlowAdapter, kind: str, limits: Limits) -> TensorFlowAsker:
    """See kinds.asker_of."""
    return TensorFlowAsker(framework, kind, limits)


