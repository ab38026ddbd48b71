"""Cases of the excuses for ONNX: models with an excused difference, and real faults of the same models."""

from __future__ import annotations

import functools
import json
import os
import re
import types
import unittest
import unittest.mock
from collections.abc import Callable
from typing import Any, cast

try:
    import numpy as np
    from onnx.reference import ReferenceEvaluator

    from rulefuzz import framework, targets
    from rulefuzz.model import Json, Reader
    from rulefuzz.oracle import coarse, excuses, rounding, tolerance
    from rulefuzz.oracle.check import Check, Clock, Reference
    from rulefuzz.targets import Target
    from tests.python.excuses import cases_of

    adapter = framework.load("onnx")
    adapter.enter()
    targets.load("onnxruntime-none").prepare()
except Exception as missing:
    raise unittest.SkipTest(str(missing)) from None

Change = Callable[[Any], Any]
VARIABLE = "RULEFUZZ_PARTS"


def tensor(i: int, shape: list[int], dtype: str, span: list[int] | None = None) -> Json:
    """A tensor as a model declares it."""
    return {"id": i, "shape": shape, "dtype": dtype, **({"range": span} if span else {})}


def one(api: str, inputs: list[Json], output: Json, **attributes: str) -> Json:
    """A model of one call on these inputs."""
    args = [{"name": f"x{t['id']}", "pos": True, "value": {"ref": t["id"]}} for t in inputs]
    args += [{"name": name, "pos": False, "value": {"const": text}} for name, text in attributes.items()]
    node = {"op": f"{api}-0", "api": api, "args": args, "outputs": [output]}
    return {"values": 5, "inputs": inputs, "nodes": [node], "outputs": [output["id"]]}


def target(change: Change) -> Target:
    """onnxruntime without optimization. Its results are changed unless the part "coarse" is disabled."""

    def compile(model: Any, example: Any, stage: Any) -> Any:
        right = targets.load("onnxruntime-none").compile(model, example, stage)
        out = "coarse" in os.environ.get(VARIABLE, "").split(",")
        return lambda *inputs: [got.numpy() if out else change(got.numpy()) for got in right(*inputs)]

    module = types.ModuleType("fake")
    vars(module).update({"FRAMEWORK": "onnx", "REQUIRES": (), "compile": compile, "WITHOUT": VARIABLE})
    return Target("fake", module)


def verdict(item: Json, change: Change, **traits: Any) -> str:
    """The verdict on a target that returns the reference's results, changed. `traits` are names of the target's file."""
    return str(judged(item, change, **traits)["verdict"])


def judged(item: Json, change: Change, **traits: Any) -> Json:
    """The whole answer."""
    fake = target(change)
    vars(fake.module).update(traits)
    return Check(adapter, fake, Reader(adapter).model(item), Clock(lambda stage: None)).run()


def real(api: str, high: int = 9, **attributes: str) -> Json:
    """A call that computes with real numbers, on integers from 2 on."""
    return one(api, [tensor(0, [9], "int64", [2, high])], tensor(1, [9 if "Shrink" in api else 1], "int64"), **attributes)


def last_digits(factor: int) -> Json:
    """The last digits of products of integers near `factor`."""
    ten, made = tensor(3, [9], "int64", [10, 11]), tensor(2, [9], "int64")
    times = one("onnx.Mul", [tensor(i, [9], "int64", [factor, factor + 9]) for i in (0, 1)], made)
    digits = one("onnx.Mod", [made, ten], tensor(4, [9], "int64"))
    return {**digits, "inputs": [*times["inputs"], ten], "nodes": times["nodes"] + digits["nodes"]}


def requantised(*scales: str) -> Json:
    """A tensor quantized and dequantized once per scale."""
    nodes: list[Json] = []
    for scale in scales:
        numbers = [{"elements": {"const": scale}, "dtype": "float32"}, {"elements": {"const": "-7"}, "dtype": "int8"}]
        for api, dtype in (("onnx.QuantizeLinear", "int8"), ("onnx.DequantizeLinear", "float32")):
            values = [{"ref": len(nodes)}, *numbers]
            args = [{"name": f"x{i}", "pos": True, "value": value} for i, value in enumerate(values)]
            nodes.append({"op": f"{api}-0", "api": api, "args": args, "outputs": [tensor(len(nodes) + 1, [9], dtype)]})
    return {"values": 5, "inputs": [tensor(0, [9], "float32")], "nodes": nodes, "outputs": [len(nodes)]}


def by(api: str, taken: int, number: str, zero: str, made: Json) -> Json:
    """One QuantizeLinear or DequantizeLinear call."""
    numbers = [{"elements": {"const": number}, "dtype": "float32"}, {"elements": {"const": zero}, "dtype": "int8"}]
    args = [{"name": f"x{i}", "pos": True, "value": value} for i, value in enumerate([{"ref": taken}, *numbers])]
    return {"op": f"{api}-0", "api": api, "args": args, "outputs": [made]}


def pair(taken: int, scale: str, shape: list[int]) -> list[Json]:
    """A quantization of a tensor and its dequantization; the next two tensors."""
    whole, made = tensor(taken + 1, shape, "int8"), tensor(taken + 2, shape, "float32")
    return [by("onnx.QuantizeLinear", taken, scale, "0", whole), by("onnx.DequantizeLinear", taken + 1, scale, "0", made)]


def saturating(scale: str) -> Json:
    """A dequantized convolution whose result is quantized with this scale; most elements saturate."""

    whole, weights = tensor(0, [1, 3, 32, 32], "int8", [-128, 127]), {**tensor(1, [8, 3, 4, 4], "float32"), "constant": True}
    image, sums = tensor(2, [1, 3, 32, 32], "float32"), tensor(3, [1, 8, 8, 8], "float32")
    conv = one("onnx.Conv", [image, weights], sums, strides="[4, 4]")["nodes"]
    first = by("onnx.DequantizeLinear", 0, "0.03", "-6", image)
    last = by("onnx.QuantizeLinear", 3, scale, "-6", tensor(4, [1, 8, 8, 8], "int8"))
    return {"values": 5, "inputs": [whole, weights], "nodes": [first, *conv, last], "outputs": [4]}


def half_equal(angle: str) -> Json:
    """A comparison of cosines with 1, for angles up to this one in half precision."""
    made = [tensor(i, [9], "float16") for i in range(3)] + [tensor(3, [9], "bool")]
    given = {**made[0], "values": "unit"}
    nodes: list[Json] = []
    for taken, api, number in ((0, "onnx.Mul", angle), (1, "onnx.Cos", ""), (2, "onnx.Equal", "1.0")):
        value = {"elements": [{"const": number}] * 9, "dtype": "float16"}
        nodes += one(api, [made[taken]], made[taken + 1])["nodes"]
        nodes[-1]["args"] += [{"name": "B", "pos": True, "value": value}] if number else []
    return {"values": 5, "inputs": [given], "nodes": nodes, "outputs": [3]}


def curved(api: str) -> Json:
    """A comparison f(HardSwish(x)) > HardSwish(x) in half precision."""
    made = [tensor(0, [3], "float16", [-3, -1]), *(tensor(i, [3], "float16") for i in (1, 2)), tensor(3, [3], "bool")]
    calls = (("onnx.HardSwish", [0], 1), (api, [1], 2), ("onnx.Greater", [2, 1], 3))
    nodes = [one(name, [made[i] for i in taken], made[out])["nodes"][0] for name, taken, out in calls]
    return {"values": 5, "inputs": [made[0]], "nodes": nodes, "outputs": [3]}


def moved(item: Json, by: int) -> Json:
    """The model with all tensor ids increased."""
    text = re.sub(r'"(id|ref)": (\d+)', lambda m: f'"{m[1]}": {int(m[2]) + by}', json.dumps(item))
    return {**json.loads(text), "outputs": [i + by for i in item["outputs"]]}


def beside(item: Json, other: Json) -> Json:
    """Both models in one, with common inputs."""
    known = {t["id"] for t in item["inputs"]}
    inputs = item["inputs"] + [t for t in other["inputs"] if t["id"] not in known]
    nodes, outputs = (item[key] + other[key] for key in ("nodes", "outputs"))
    return {**item, "inputs": inputs, "nodes": nodes, "outputs": outputs}


def whole_mean(api: str, times: int) -> Json:
    """A cast to an integer after the mean or sum of `times` copies of an integer in half precision."""
    made = [tensor(0, [9], "float16", [2, 9]), tensor(1, [9], "float16"), tensor(2, [9], "int64")]
    mean = one(api, [made[0]] * times, made[1])
    mean["nodes"][0]["args"] = [{"name": "x", "pos": True, "value": [{"ref": 0}] * times}]
    cast = one("onnx.Cast", [made[1]], made[2], to="7")
    return {"values": 5, "inputs": made[:1], "nodes": mean["nodes"] + cast["nodes"], "outputs": [2]}


def whole_pool(api: str) -> Json:
    """Ceil of an integer-valued sum in a window of two, in half precision."""
    made = [tensor(0, [1, 1, 9], "float16", [2, 9]), tensor(1, [1, 1, 8], "float16"), tensor(2, [1, 1, 8], "float16")]
    attributes = {"kernel_shape": "[2]", **({"p": "1"} if api == "onnx.LpPool" else {})}
    pool, ceil = one(api, made[:1], made[1], **attributes), one("onnx.Ceil", [made[1]], made[2])
    return {"values": 5, "inputs": made[:1], "nodes": pool["nodes"] + ceil["nodes"], "outputs": [2]}


def places(indices: Json, values: Json, out: Json) -> Json:
    """One call of OneHot."""
    depth = {"elements": {"const": "9.0"}, "dtype": "float32"}
    args = [{"name": name, "pos": True, "value": value} for name, value in (
        ("indices", {"ref": indices["id"]}), ("depth", depth), ("values", values))]  # fmt: skip
    return {"op": "onnx.OneHot-0", "api": "onnx.OneHot", "args": args, "outputs": [out]}


def place_of_mean() -> Json:
    """OneHot of an integer that is computed as a mean of three."""
    item = whole_mean("onnx.Mean", 3)
    values = {"elements": [{"const": "5"}, {"const": "7"}], "dtype": "float32"}
    return {**item, "nodes": [item["nodes"][0], places(item["nodes"][0]["outputs"][0], values, tensor(2, [9, 9], "float32"))]}


def place_of_bias() -> Json:
    """OneHot of the mean of a normalized tensor in half precision. The mean equals the bias, an integer."""
    made = [tensor(0, [1, 9, 2, 2], "float16", [1, 6]), tensor(1, [9], "float16", [-5, 6]), tensor(2, [9], "float16", [2, 9])]
    out = [tensor(4, [1, 9, 2, 2], "float16"), tensor(5, [1, 9, 1, 1], "float16"), tensor(6, [1, 9, 1, 1, 9], "float32")]
    item = one("onnx.InstanceNormalization", made, out[0])
    item["nodes"] += one("onnx.GlobalAveragePool", out[:1], out[1])["nodes"]
    item["nodes"].append(places(out[1], {"ref": 3}, out[2]))
    return {**item, "inputs": [*made, tensor(3, [2], "float32", [-5, 0])], "outputs": [6]}


NORMAL = one("onnx.LayerNormalization", [tensor(0, [2, 9], "float64"), tensor(1, [9], "float64")], tensor(2, [2, 9], "float64"))
SQUARES = one("onnx.LRN", [tensor(0, [3, 3, 1, 1], "float16", [200, 210])], tensor(1, [3, 3, 1, 1], "float16"), size="3")
"""The sum of the squares overflows half precision, which makes the quotients 0. In float32 they are about 60."""
UNLIKELY = one("onnx.LogSoftmax", [tensor(0, [4], "float32", [-400, 400])], tensor(1, [4], "float32"))
"""The numbers are so far apart that the exponentials of most are 0."""
WINDOWED = one("onnx.InstanceNormalization", [tensor(i, [1, 1, 1] if i == 0 else [1], "float32") for i in (0, 1, 2)],
               tensor(3, [1, 1, 1], "float32"))  # fmt: skip
WINDOWED["nodes"].insert(0, {"op": "w", "api": "onnx.HammingWindow", "args": [{"name": "size", "pos": True, "value": {
    "elements": {"const": "1"}, "dtype": "int32"}}], "outputs": [WINDOWED["inputs"].pop()]})  # fmt: skip
"""One element, with a window as bias. The window is float32 in every precision."""
LEVEL = one("onnx.Sigmoid", [tensor(0, [1, 3000], "float32", [1, 2])], tensor(3, [1, 3000], "float32"))
EACH = [tensor(1, [3000], "float32", [2, 3]), tensor(2, [3000], "float32")]
EVEN_ONES = [*LEVEL["nodes"][0]["outputs"], *EACH]
LEVEL["nodes"] += one("onnx.LayerNormalization", EVEN_ONES, tensor(4, [1, 3000], "float32"))["nodes"]
LEVEL |= {"inputs": [*LEVEL["inputs"], *EACH], "outputs": [4]}
"""Many equal numbers: the error of their mean is multiplied by 316, which is 1 / sqrt(epsilon)."""
ABOVE_NONE = {**LEVEL, "nodes": LEVEL["nodes"][:1]}
ABOVE_NONE["nodes"] += one("onnx.Acosh", EVEN_ONES[:1], tensor(5, [1, 3000], "float32"))["nodes"]
ABOVE_NONE["nodes"] += one("onnx.Concat", [], tensor(6, [2, 3000], "float32"), axis="0")["nodes"]
ABOVE_NONE["nodes"][2]["args"].insert(0, {"name": "inputs", "pos": True, "value": [{"ref": 3}, {"ref": 5}]})
ABOVE_NONE["nodes"] += one("onnx.LayerNormalization", [tensor(6, [2, 3000], "float32"), *EACH],
                           tensor(4, [2, 3000], "float32"))["nodes"]  # fmt: skip
"""The same beside a row of NaN."""
SHARES = one("onnx.LogSoftmax", [tensor(0, [9, 9, 1], "float32", [-110, 1])], tensor(1, [9, 9, 1], "float32"), axis="1")
"""Logarithms of softmax results; some results are denormal."""
SATURATED = one("onnx.Exp", [tensor(0, [99], "float32", [-999, 80])], tensor(1, [99], "float32"))
SATURATED["nodes"] += one("onnx.Greater", [tensor(i, [99], "float32") for i in (1, 2)], tensor(3, [99], "bool"))["nodes"]
SATURATED |= {"inputs": [*SATURATED["inputs"], tensor(2, [99], "float32", [0, 1])], "outputs": [3]}
"""A comparison with 0 of exponentials that underflow in every precision, beside large ones."""
BELOW = adapter.inputs(Reader(adapter).model(SATURATED))[0] < -750
CENTRED = one("onnx.LayerNormalization", [tensor(0, [40, 3], "float64", [-2, 3]), tensor(1, [3], "float64", [1, 3])],
              tensor(2, [40, 3], "float64"))  # fmt: skip
"""Integers, some of them equal to the mean of their row."""
PRODUCT = one("onnx.ReduceProd", [tensor(0, [1, 30], "int32", [2, 5])], tensor(1, [1, 1], "int32"))
SUM = one("onnx.Add", [tensor(0, [9], "float32"), tensor(1, [9], "float32")], tensor(2, [9], "float32"))
GELU = one("onnx.Gelu", [tensor(0, [9], "float32")], tensor(1, [9], "float32"))
WHOLE = one("onnx.Add", [tensor(i, [9], "float32", [100, 120]) for i in (0, 1)], tensor(2, [9], "float32"))
TOTAL = one("onnx.ReduceSum", [tensor(0, [9], "int64", [1, 9])], tensor(1, [], "int64"), keepdims="0")
MASKED = one("onnx.Attention", [*(tensor(i, [1, 1, 2, 4], "float32") for i in range(3)), tensor(3, [2, 2], "bool", [0, 1])],
             tensor(4, [1, 1, 2, 4], "float32"))  # fmt: skip
"""Fully masked rows: zeros by the specification, NaN by onnxruntime's float64 kernel."""
ALONE = beside(
    one("onnx.InstanceNormalization", [tensor(0, [2, 9, 1], "float32"), *(tensor(i, [9], "float32") for i in (1, 2))],
        tensor(3, [2, 9, 1], "float32")),
    one("onnx.DynamicQuantizeLinear", [tensor(0, [2, 9, 1], "float32")], tensor(4, [2, 9, 1], "uint8")),
)  # fmt: skip
"""Each mean is of a single element, which makes the bias the result; beside a call that has no float64 kernel."""
ALONE["nodes"][1]["outputs"] += [tensor(5, [], "float32"), tensor(6, [], "uint8")]
BIAS = adapter.inputs(Reader(adapter).model(ALONE))[2].reshape(1, 9, 1).repeat(2, 0)
BEHIND = {**ALONE, "outputs": [7]}
"""Normalization of equal values, beside a call that has no float64 kernel."""
BEHIND["nodes"] = [ALONE["nodes"][0], *one("onnx.MeanVarianceNormalization", [tensor(3, [2, 9, 1], "float32")],
                                           tensor(7, [2, 9, 1], "float32"), axes="[0, 2]")["nodes"]]  # fmt: skip


EQUAL = one("onnx.Expand", [tensor(0, [1, 2, 1], "float32")], tensor(1, [3, 2, 3], "float32"))
"""Normalization of equal real numbers: their distance from their mean."""
EQUAL["nodes"][0]["args"].append({"name": "shape", "pos": True, "value": {"elements": [3, 2, 3], "dtype": "int64"}})
EQUAL["nodes"] += one("onnx.MeanVarianceNormalization", [tensor(1, [3, 2, 3], "float32")], tensor(2, [3, 2, 3], "float32"),
                      axes="[0, 2]")["nodes"]  # fmt: skip
EQUAL["outputs"] = [2]
LOGS = one("onnx.Log", [tensor(0, [1, 1, 9, 9], "float32")], tensor(2, [1, 1, 9, 9], "float32"))
"""Convolution windows of one element; some elements are NaN."""
LOGS["nodes"] += one("onnx.Conv", [tensor(2, [1, 1, 9, 9], "float32"), tensor(1, [1, 1, 1, 1], "float32")],
                     tensor(3, [1, 1, 9, 9], "float32"))["nodes"]  # fmt: skip
LOGS |= {"inputs": [*LOGS["inputs"], tensor(1, [1, 1, 1, 1], "float32")], "outputs": [3]}
SCALED = one("onnx.InstanceNormalization", [tensor(0, [2, 9, 1], "float32"), *(tensor(i, [9], "float32") for i in (1, 6))],
             tensor(7, [2, 9, 1], "float32"))  # fmt: skip
SCALED["inputs"] = [*SCALED["inputs"][:2], tensor(2, [9], "int32", [-9, 9]), tensor(3, [], "float32")]
SCALED["nodes"] = [
    *one("onnx.Abs", [tensor(3, [], "float32")], tensor(5, [], "float32"))["nodes"],
    *one("onnx.DequantizeLinear", [tensor(i, [], "float32") for i in (2, 5)], tensor(6, [9], "float32"))["nodes"],
    *SCALED["nodes"],
]
"""The same with a bias of integers times a scale, computed by a call that has no float64 kernel."""
GIVEN = adapter.inputs(Reader(adapter).model(SCALED))
SHIFT = (GIVEN[2] * abs(GIVEN[3])).astype(np.float32).reshape(1, 9, 1).repeat(2, 0)


NONE = one("onnx.Log", [tensor(0, [9], "float32", [-9, -1])], tensor(1, [9], "float32"))
PASSED = one("onnx.ThresholdedRelu", [tensor(1, [9], "float32")], tensor(2, [9], "float32"))
BOUNDED = one("onnx.HardSigmoid", [tensor(1, [9], "float32")], tensor(2, [9], "float32"))
SUMMED = one("onnx.Celu", [tensor(1, [9], "float32")], tensor(2, [9], "float32"))
BRANCHED = one("onnx.Elu", [tensor(1, [9], "float32")], tensor(2, [9], "float32"))


def of_none(item: Json) -> Json:
    """A call applied to NaN: ThresholdedRelu, HardSigmoid, Celu or Elu."""
    return {**NONE, "nodes": NONE["nodes"] + item["nodes"], "outputs": [2]}


CAST = one("onnx.Cast", [tensor(0, [3], "bfloat16")], tensor(1, [3], "float32"), to="1")
"""Elements of an input, exact in the new type."""
PARTIAL = one("onnx.LpPool", [tensor(0, [2, 3, 8], "float16")], tensor(1, [2, 3, 1], "float16"), ceil_mode="1",
              kernel_shape="[30]", p="1", strides="[23]")  # fmt: skip
"""onnxruntime's kernel for float64 returns zeros here."""
BRIEF = one("onnx.com_microsoft.GatedRMSNorm", [tensor(i, [9] if i == 1 else [4, 9], "bfloat16", [1, 4]) for i in range(3)],
            tensor(3, [4, 9], "bfloat16"))  # fmt: skip
BRIEF["nodes"] += one("onnx.Cast", [tensor(3, [4, 9], "bfloat16")], tensor(4, [4, 9], "float32"), to="1")["nodes"]
BRIEF["outputs"] = [4]
"""Noise moves these elements of half precision by percents."""
POOLED = one("onnx.Log", [tensor(0, [1, 1, 9], "float32", [-9, -1])], tensor(1, [1, 1, 9], "float32"))
POOLED["nodes"] += one("onnx.GlobalMaxPool", [tensor(1, [1, 1, 9], "float32")], tensor(2, [1, 1, 1], "float32"))["nodes"]
POOLED["outputs"] = [2]
"""The maximum of NaN."""
WAVES = one("onnx.Log", [tensor(0, [1, 2, 1], "float32", [-9, -1])], tensor(1, [1, 2, 1], "float32"))
WAVES["nodes"] += one("onnx.DFT", [tensor(1, [1, 2, 1], "float32")], tensor(2, [1, 2, 2], "float32"))["nodes"]
WAVES["outputs"] = [2]
"""The transform of NaN. Each imaginary part is NaN times 0."""
SAMPLED = one("onnx.Log", [tensor(0, [1, 2, 2, 2], "float32", [-9, -1])], tensor(1, [1, 2, 2, 2], "float32"))
SAMPLED["nodes"] += one("onnx.GridSample", [tensor(2, [1, 1, 3, 3], "float32"), tensor(1, [1, 2, 2, 2], "float32")],
                        tensor(3, [1, 1, 2, 2], "float32"))["nodes"]  # fmt: skip
SAMPLED |= {"inputs": [*SAMPLED["inputs"], tensor(2, [1, 1, 3, 3], "float32")], "outputs": [3]}
"""A sample at a position that is NaN."""


def greatest_share(api: str) -> Json:
    """ArgMax of a function of softmax results that are all 1."""
    item = one("onnx.Softmax", [tensor(0, [9, 1], "float32", [2, 9])], tensor(1, [9, 1], "float32"))
    function = one(api, [tensor(1, [9, 1], "float32")], tensor(2, [9, 1], "float32"))
    place = one("onnx.ArgMax", [tensor(2, [9, 1], "float32")], tensor(3, [1, 1], "int64"), axis="0")
    return {**item, "nodes": item["nodes"] + function["nodes"] + place["nodes"], "outputs": [3]}


def fourth_below(function: Change) -> Change:
    """Makes the fourth softmax result slightly less than 1, with matching function value and index."""

    def change(x: Any) -> Any:
        if x.dtype == np.int64:
            return x + 3
        with np.errstate(invalid="ignore"):
            less = np.float32(0.99999994) if (x == 1).all() else function(np.float32(0.99999994))
        return np.where(np.arange(9).reshape(9, 1) == 3, less, x)

    return change


STEEP = one("onnx.Exp", [tensor(0, [9], "float32", [15, 20])], tensor(1, [9], "float32"))
"""Exponentials of integers: one ulp of the operand is 20 ulp of the result."""


def floors(least: int) -> Json:
    """Floor of the result of an LSTM in half precision whose gates sum to more than `least`."""
    state = tensor(3, [2, 1, 1, 3], "float16")
    taken = [tensor(0, [2, 1, 3], "float16", [5, 6]), *(tensor(i, [1, 12, 3], "float16", [least, least + 1]) for i in (1, 2))]
    lstm = one("onnx.LSTM", taken, state, hidden_size="3", outputs="1")
    floor = one("onnx.Floor", [state], tensor(4, [2, 1, 1, 3], "float16"))
    return {**lstm, "nodes": lstm["nodes"] + floor["nodes"], "outputs": [4]}


FOUND = one("onnx.DynamicQuantizeLinear", [tensor(0, [1, 99], "float32", [-5, 6])], tensor(1, [1, 99], "uint8"))
"""Integers from -5 to 5, whose zero point happens to be a tie (n + 0.5)."""
FOUND["nodes"][0]["outputs"] += [tensor(2, [], "float32"), tensor(3, [], "uint8")]
FOUND["outputs"] = [3]
MANY = json.loads(json.dumps({**FOUND, "outputs": [1, 3]}).replace("[1, 99]", "[1, 999]"))
"""Minimum and maximum move alike. -3 is a tie as well, and its rounding compensates that of the zero point."""
EVEN = json.loads(json.dumps(FOUND).replace("[-5, 6]", "[-5, 5]"))
"""Integers from -5 to 4: the zero point is 141.67, not a tie."""


def summed(least: str) -> Json:
    """Sums of three quantized elements, drawn from `least` to 5."""
    item = json.loads(json.dumps({**MANY, "outputs": [5]}).replace("[1, 999]", "[333, 3]").replace("[-5, 6]", f"[{least}, 6]"))
    times = one("onnx.MatMulInteger", [item["nodes"][0]["outputs"][0], tensor(4, [3, 1], "uint8", [1, 2])],
                tensor(5, [333, 1], "int32"))  # fmt: skip
    return {**item, "inputs": [*item["inputs"], times["inputs"][1]], "nodes": item["nodes"] + times["nodes"]}


def quantised(dtype: str) -> Json:
    """Elements quantized with a scale of 5."""
    given = [tensor(0, [999], "float32"), tensor(1, [], "float32", [5, 6]), tensor(2, [], dtype, [3, 4])]
    call = one("onnx.QuantizeLinear", given, tensor(3, [999], dtype))
    named: Json = json.loads(json.dumps(call).replace('"x1"', '"y_scale"'))
    return named


def near_ties(far: float) -> Change:
    """Adds 1 if the quotient is within `far` of a tie."""
    model = Reader(adapter).model(quantised("int16"))
    fractions = adapter.inputs(model)[0] / 5 % 1
    return lambda y: y + (abs(fractions - 0.5) < far).astype(y.dtype)


BY_SCALES, EXACTLY = (0.0189331137, 0.000445194746, 0.00130281132), (0.25, 1.0, 128.0)


def product(scales: tuple[float, float, float] = BY_SCALES) -> Json:
    """A QLinearMatMul of integers with literal scales."""
    given = [tensor(i, shape, "int8", [-128, 128]) for i, shape in enumerate(([256, 8], [8, 256]))]
    args: list[Json] = []
    for name, i, scale in zip("aby", (0, 1, None), scales, strict=True):
        args += [{"name": name, "pos": True, "value": {"ref": i}}] if i is not None else []
        told = (("scale", str(scale), "float32"), ("zero_point", "0", "int8"))
        args += [{"name": f"{name}_{what}", "pos": True, "value": {"elements": {"const": text}, "dtype": dtype}}
                 for what, text, dtype in told]  # fmt: skip
    node = {"api": "onnx.QLinearMatMul", "args": args, "outputs": [tensor(2, [256, 256], "int8")]}
    return {"values": 5, "inputs": given, "nodes": [node], "outputs": [2]}


def near_ties_of_products(far: float, scales: tuple[float, float, float] = BY_SCALES) -> Change:
    """Adds 1 if the scaled product is within `far` of a tie."""
    a, b = (array.astype(float) for array in adapter.inputs(Reader(adapter).model(product(scales))).values())
    first, second, last = (float(np.float32(scale)) for scale in scales)
    quotients = a @ b * first * second / last
    near = (abs(quotients % 1 - 0.5) < far) & (abs(quotients) > 50) & (abs(quotients) < 100)
    return lambda y: y + near.astype(y.dtype)


def beside_a_tie(x: Any) -> Any:
    """Adds 1 to the zero point."""
    return np.asarray(x + x.dtype.type(x.dtype == np.uint8 and x.ndim == 0))


def beside_ties(x: Any) -> Any:
    """Adds 1 to the zero point and to all elements."""
    return np.asarray(x + x.dtype.type(x.dtype == np.uint8))


def further(x: Any) -> Any:
    """Adds 3 to the zero point and to all elements."""
    return beside_ties(beside_ties(beside_ties(x)))


def exactly(x: Any) -> Any:
    """The bias for the normalized tensor, and NaN for tensors computed from it."""
    return BIAS if np.allclose(x, BIAS, atol=1e-3) else x * np.float32("nan")


COARSE, SCALARS, NARROW = {"COARSE": ("coarse",)}, {"SCALARS": False}, {"NARROW": True}
QUANTISED = {"QUANTISED": ("coarse",)}
STEP = {**requantised("0.5"), "outputs": [1]}
STEP["nodes"] = STEP["nodes"][:1]
"""One quantization."""
APPROXIMATES = {"APPROXIMATES": ("gelu", "add")}
Case = tuple[Json, Change, dict[str, Any]]
OF_CHANNELS = [tensor(i, [6], "float32") for i in range(1, 5)]
STATISTICS = one("onnx.BatchNormalization", [tensor(0, [5, 6, 0], "float32"), *OF_CHANNELS], tensor(5, [5, 6, 0], "float32"),
                 training_mode="1")  # fmt: skip
STATISTICS["nodes"][0]["outputs"] += [tensor(6, [6], "float32"), tensor(7, [6], "float32")]
STATISTICS["outputs"] = [6]
LAYERS = [one("onnx.LayerNormalization", [tensor(0, [n], "float32"), tensor(1, [n], "float32")], tensor(2, [n], "float32"))
          for n in (4410, 90)]  # fmt: skip
"""Normalization of many numbers, and of few."""


def normalised() -> Json:
    """The mean of normalized pairs. The values of some pairs are close."""
    ones = [tensor(i, [1], "float32", [1, 2]) for i in (1, 2)]
    item = one("onnx.LayerNormalization", [tensor(0, [60, 2], "float32"), ones[0]], tensor(3, [60, 2], "float32"))
    last = one("onnx.LayerNormalization", [item["nodes"][0]["outputs"][0], ones[1]], tensor(4, [60, 2], "float32"))["nodes"]
    last[0]["outputs"] += [tensor(5, [60, 1], "float32")]
    return {"values": 20, "inputs": [*item["inputs"], ones[1]], "nodes": item["nodes"] + last, "outputs": [5]}


def lost_of_means(times: float) -> Change:
    """Moves the result as an error of `times` half units in the mean of each pair would."""
    pairs = adapter.inputs(Reader(adapter).model(normalised()))[0].astype(float)
    unit = np.spacing(abs(pairs.mean(1, keepdims=True)).astype(np.float32)) / 2
    moved = times * unit / np.sqrt(pairs.var(1, keepdims=True) + 1e-5)
    return lambda x: x + moved.astype(np.float32) if x.shape == moved.shape else x


WINDOWS = one("onnx.Conv", [tensor(0, [1, 1, 5, 5], "float32"), tensor(1, [1, 1, 3, 3], "float32")],
              tensor(2, [1, 1, 11, 11], "float32"), pads="[4, 4, 4, 4]")  # fmt: skip
"""Some windows hold only zeros."""


def by_shares(x: Any) -> Any:
    """The logarithms, with the softmax rounded to float32 in between."""
    with np.errstate(divide="ignore"):
        return np.log(np.exp(x.astype(np.float64)).astype(np.float32)).astype(np.float32)


def aside(far: float) -> Change:
    """Adds `far` unless all elements are equal."""
    return lambda x: x + np.float32(far) * (np.unique(x[x == x]).size > 1)


def past_zero(far: float) -> Change:
    """Moves large values as far as noise does and zeros to `far`, with the comparisons that result."""
    return lambda x: x | BELOW if x.dtype == bool else np.where(x == 0, np.float32(far), x * np.float32(1 + 3e-6))


def resized(dtype: str, mode: str, span: tuple[int, int] = (0, 99)) -> Json:
    """Resizes 8 elements to 3."""
    item = one("onnx.Resize", [tensor(0, [1, 1, 1, 8], dtype, [*span])], tensor(1, [1, 1, 1, 3], dtype), mode=mode)
    sizes = {"elements": [{"const": str(n)} for n in (1, 1, 1, 3)], "dtype": "int64"}
    region = {"elements": [{"const": "0.0"}] * 8, "dtype": "float32"}
    none = [{"name": "roi", "pos": True, "value": region}, {"name": "scales", "pos": True, "value": {"const": "None"}}]
    item["nodes"][0]["args"][1:1] = [*none, {"name": "sizes", "pos": True, "value": sizes}]
    return item


def scaled(count: int, made: int, scale: str, mode: str = "'nearest'") -> Json:
    """Resizes `count` elements by a computed scale, to `made`."""
    item = one("onnx.Resize", [tensor(i, [1, 1, 1, count], "float32") for i in (0, 1)], tensor(2, [1, 1, 1, made], "float32"),
               mode=mode)  # fmt: skip
    half = [{"elements": [{"const": n} for n in ("0.5", "0.5", "0.5", scale)], "dtype": "float32"},
            {"elements": [{"const": "2.0"}], "dtype": "float32"}]  # fmt: skip
    args = [{"name": f"x{i}", "pos": True, "value": value} for i, value in enumerate(half)]
    product = {"op": "onnx.Mul-0", "api": "onnx.Mul", "args": args, "outputs": [tensor(1, [4], "float32")]}
    item["nodes"][0]["args"].insert(1, {"name": "roi", "pos": True, "value": {"const": "None"}})
    return {**item, "inputs": item["inputs"][:1], "nodes": [product, *item["nodes"]]}


def cropped() -> Json:
    """Resizes two elements with a crop region that begins at the first value of a window, which is 0 up to rounding."""
    item = one("onnx.BlackmanWindow", [], tensor(1, [8], "float32"))
    item["nodes"][0]["args"] = [{"name": "size", "pos": True, "value": {"elements": {"const": "8"}, "dtype": "int32"}}]
    pair = one("onnx.Resize", [tensor(i, [2, 1, 1, 1], "float32", [1, 2]) for i in (0, 1)], tensor(2, [2, 1, 1, 1], "float32"),
               antialias="1", coordinate_transformation_mode="'tf_crop_and_resize'", extrapolation_value="10.0",
               mode="'linear'")  # fmt: skip
    sizes = {"elements": [{"const": str(n)} for n in (2, 1, 1, 1)], "dtype": "int64"}
    none = {"name": "scales", "pos": True, "value": {"const": "None"}}
    pair["nodes"][0]["args"][2:2] = [none, {"name": "sizes", "pos": True, "value": sizes}]
    return {**pair, "inputs": pair["inputs"][:1], "nodes": item["nodes"] + pair["nodes"]}


def mean_of(count: int, dtype: str = "float16") -> Json:
    """The mean of `count` elements."""
    return one("onnx.ReduceMean", [tensor(0, [1, count], dtype, [3, 5])], tensor(1, [1, 1], dtype))


def flattened(item: Json) -> Json:
    """The model with a Flatten behind it."""
    made = item["nodes"][-1]["outputs"][0]
    behind = one("onnx.Flatten", [made], tensor(9, [made["shape"][0], made["shape"][3] * made["shape"][1]], made["dtype"]))
    return {**item, "nodes": item["nodes"] + behind["nodes"], "outputs": [9]}


def beyond(less: float, more: float = 0) -> Change:
    """Moves the window by `less`, extrapolates the element before the region, and adds `more` to later results."""

    def change(x: Any) -> Any:
        past = np.array([10, 1 + more * (x.ndim == 2)], x.dtype)
        return x - np.float32(less) if x.shape == (8,) else past.reshape(x.shape)

    return change


TWICE_NODES = [*pair(0, "1.0", [40]), *pair(2, "0.06", [40])]
TWICE = {"values": 5, "inputs": [tensor(0, [40], "float32")], "nodes": TWICE_NODES, "outputs": [4]}


def drawn() -> Json:
    """Random numbers beside an exponential."""
    random = one("onnx.RandomNormalLike", [tensor(0, [9], "float32")], tensor(2, [9], "float32"), seed="1.0")
    random["nodes"][0]["random"] = True
    other = one("onnx.Exp", [tensor(0, [9], "float32")], tensor(1, [9], "float32"))
    return {**other, "nodes": other["nodes"] + random["nodes"], "outputs": [2]}


def one_hot_of_integers() -> Json:
    """OneHot of integers from 1 to 7."""
    item = one("onnx.OneHot", [tensor(0, [3], "int64", [1, 8])], tensor(1, [3, 9], "float32"))
    depth = {"elements": {"const": "9"}, "dtype": "int64"}
    both = {"elements": [{"const": "0.0"}, {"const": "1.0"}], "dtype": "float32"}
    item["nodes"][0]["args"][0]["name"] = "indices"
    item["nodes"][0]["args"] += [{"name": "depth", "pos": True, "value": depth}, {"name": "values", "pos": True, "value": both}]
    return item


before: Change = lambda x: np.roll(x, -1, -1) if x.shape[-1] == 9 else x  # noqa: E731
"""The place before, for one of nine."""
CASES: dict[str, Case] = {
    "one-hot of quotients": (place_of_mean(), before, {}),
    "random calls": (drawn(), lambda x: x + 1, {}),
    "float64 computed in float32": (NORMAL, lambda x: x * (1 + 3e-7), {}),
    "long sums": (LAYERS[0], lambda x: x * np.float32(1 + 5e-5), {}),
    "long sums in half precision": (mean_of(9000), lambda x: x * np.float16(1.1), {}),
    "mean of many values": (LAYERS[0], lambda x: x + np.float32(abs(x).max() * 3e-5), {}),
    "mean of few close values": (normalised(), lost_of_means(1), {}),
    "mean of many nearly equal values": (LEVEL, aside(2e-2), {}),
    "zeros beside other convolution windows": (WINDOWS, lambda x: x + (x == 0) * np.float32(abs(x).max() * 1e-6), {}),
    "residue of equal values": (ALONE, lambda x: BIAS if x.shape == BIAS.shape and x.dtype == BIAS.dtype else x, {}),
    "discontinuity after such a residue": (BEHIND, exactly, {}),
    "distance of equal values from their mean": (EQUAL, np.ones_like, {}),
    "integer overflow": (PRODUCT, lambda x: x + 1, {}),
    "approximate passes": (SUM, lambda x: x * np.float32(1.01), COARSE),
    "merged quantizations": (TWICE, lambda x: x + np.float32(1), COARSE),
    "substituted 8-bit kernels": (STEP, lambda x: x + x.dtype.type(x.dtype == np.int8), QUANTISED),
    "half precision kept in float32 between calls": (half_equal("0.01"), lambda x: x | True, {}),
    "an integer that is a quotient": (whole_mean("onnx.Mean", 3), lambda x: x - (x.dtype == np.int64), {}),
    "an integer that is a root of powers": (whole_pool("onnx.LpPool"), lambda x: x + x.dtype.type(1), {}),
    "rounded intermediates of exact operands": (STEEP, lambda x: x * np.float32(1 + 2e-5), {}),
    "integers by a computed scale": (FOUND, beside_a_tie, {}),
    "values below half precision": (floors(-5), lambda x: x - 1, {}),
    "ties by a computed zero point": (MANY, beside_ties, {}),
    "sums with a computed zero point": (summed("-5"), lambda x: x + 3, {}),
    "integers by a computed zero point": ({**FOUND, "outputs": [1, 3]}, beside_ties, {}),
    "16-bit integers by a quotient from the minimum": (quantised("int16"), near_ties(0.006), {}),
    "ties by literal scales": (product(), near_ties_of_products(2e-5), {}),
    "residue of equal values without a float64 kernel": (SCALED, lambda x: x[..., :1] * 0 + SHIFT, {}),
    "NaN at the end of a domain": (greatest_share("onnx.Acosh"), fourth_below(np.arccosh), {}),
    "NaN between two bounds": (of_none(BOUNDED), lambda x: np.nan_to_num(x, nan=1), {}),
    "NaN in a sum of max and min": (of_none(SUMMED), lambda x: np.nan_to_num(x, nan=0), {}),
    "maximum of NaN": (POOLED, lambda x: np.nan_to_num(x, nan=np.finfo(np.float32).min), {}),
    "NaN in a transform": (WAVES, lambda x: x if x.shape[-1] == 1 else np.nan_to_num(x, nan=0.0), {}),
    "a sampling position that is NaN": (SAMPLED, lambda x: x + np.float32("nan"), {}),
    "NaN at a threshold": (of_none(PASSED), lambda x: x + np.float32("nan"), {}),
    "mean of an empty tensor": (STATISTICS, np.zeros_like, {}),
    "intermediates in half precision": (SQUARES, np.zeros_like, {}),
    "logarithm of a denormal": (SHARES, by_shares, {}),
    "discontinuity after explained noise": (SATURATED, past_zero(1e-7), {}),
    "discontinuity that the reference skips": (cropped(), beyond(3e-8), {}),
    "integers by interpolation weights": (flattened(resized("uint8", "'linear'", (5, 6))), lambda x: x - x.dtype.type(1), {}),
    "a dimension from a computed scale": (scaled(5, 3, "0.3"), lambda x: x[..., :-1] if x.ndim == 4 else x, {}),
    "results behind such a discontinuity": (flattened(cropped()), beyond(3e-8), {}),
    "fractions converted to integers": (real("onnx.Shrink", bias="1.5", lambd="1.5"), lambda x: x + 1, {}),
    "documented approximations": (GELU, lambda x: x * np.float32(1.0001), APPROXIMATES),
    "one element instead of a scalar": (TOTAL, lambda x: x.reshape(1), SCALARS),
    "integers beyond 32 bits": (last_digits(1 << 20), lambda x: x + 1, NARROW),
}
"""For each row of the table: a model, the change that the target makes, and the names of its file."""
FAULTS: dict[str, Case] = {
    "one-hot of integers": (one_hot_of_integers(), before, {}),
    "a call that is not random": (one("onnx.Exp", [tensor(0, [9], "float32")], tensor(1, [9], "float32")), lambda x: x + 1, {}),
    "merged quantizations, by three steps": (TWICE, lambda x: x + np.float32(3), COARSE),
    "short sums in half precision": (mean_of(90), lambda x: x * np.float16(1.1), {}),
    "long sums in float32": (mean_of(9000, "float32"), lambda x: x * np.float32(1.1), {}),
    "short sums": (LAYERS[1], lambda x: x * np.float32(1 + 5e-5), {}),
    "mean of few values": (LAYERS[1], lambda x: x + np.float32(abs(x).max() * 3e-5), {}),
    "mean of many values, larger error": (LAYERS[0], lambda x: x + np.float32(abs(x).max() * 1e-2), {}),
    "long sums, larger error": (LAYERS[0], lambda x: x * np.float32(1 + 1e-2), {}),
    "mean of few close values, larger error": (normalised(), lost_of_means(1000), {}),
    "mean of many nearly equal values, larger error": (LEVEL, aside(1.0), {}),
    "zeros beside other windows, larger error": (WINDOWS, lambda x: x + (x == 0) * np.float32(abs(x).max() * 1e-4), {}),
    "integers by interpolation weights, off by two": (
        resized("uint8", "'linear'", (5, 6)),
        lambda x: x - x.dtype.type(2),
        {},
    ),
    "nearest interpolation of equal integers": (resized("uint8", "'nearest'", (5, 6)), lambda x: x - x.dtype.type(1), {}),
    "nearest interpolation of integers": (resized("uint8", "'nearest'"), lambda x: x + x.dtype.type(1), {}),
    "elements by a computed scale": (scaled(8, 16, "1.0"), lambda x: np.roll(x, 1), {}),
    "elements by a computed scale of 1": (scaled(8, 8, "0.5"), lambda x: np.roll(x, 1), {}),
    "elements by a computed scale that is rounded": (scaled(5, 3, "0.3"), lambda x: np.roll(x, 1), {}),
    "a dimension from a computed scale without rounding": (scaled(8, 16, "1.0"), lambda x: x[..., :-1], {}),
    "interpolated floats": (resized("float32", "'linear'"), lambda x: x + x.dtype.type(1), {}),
    "float64 computed in half precision": (NORMAL, lambda x: x.astype(np.float16).astype(np.float64), {}),
    "float64 computed in float32 without stash_type": (
        one("onnx.Exp", [tensor(0, [9], "float64")], tensor(1, [9], "float64")),
        lambda x: x * (1 + 3e-7),
        {},
    ),
    "residue of equal values, larger error": (ALONE, lambda x: x + np.float32(1e-2) if x.dtype == np.float32 else x, {}),
    "discontinuity after a larger residue": (BEHIND, lambda x: exactly(x) + np.float32(1e-2), {}),
    "rounded intermediates of exact operands, larger error": (STEEP, lambda x: x * np.float32(1 + 1e-3), {}),
    "integers by a computed scale, no tie": (EVEN, beside_a_tie, {}),
    "values above the underflow of half precision": (floors(1), lambda x: x - 1, {}),
    "elements by a computed zero point, off by three": ({**MANY, "outputs": [1]}, further, {}),
    "16-bit integers further from a tie": (quantised("int16"), near_ties(0.01), {}),
    "ties by exact literal scales": (product(EXACTLY), near_ties_of_products(1e-5, EXACTLY), {}),
    "integers by literal scales, further from a tie": (product(), near_ties_of_products(1e-3), {}),
    "8-bit integers as far from a tie": (quantised("int8"), near_ties(0.003), {}),
    "integers by a computed zero point, off by three": ({**FOUND, "outputs": [1, 3]}, further, {}),
    "residue without a float64 kernel, larger error": (SCALED, lambda x: x[..., :1] * 0 + SHIFT + np.float32(1e-2), {}),
    "integers by a given scale": (STEP, lambda x: x + x.dtype.type(x.dtype == np.int8), {}),
    "a number instead of NaN": (NONE, lambda x: np.nan_to_num(x, nan=1), {}),
    "a number near 1": (greatest_share("onnx.Abs"), fourth_below(np.abs), {}),
    "numbers beside NaN": (LOGS, lambda x: x * np.float32(1 + 1e-3), {}),
    "a number between two bounds": (BOUNDED, lambda x: x + np.float32(1e-2), {}),
    "a number where both branches give NaN": (of_none(BRANCHED), lambda x: np.nan_to_num(x, nan=0), {}),
    "a number in a sum of max and min": (SUMMED, lambda x: x + np.float32(1e-2), {}),
    "a number in a transform": (
        one("onnx.DFT", [tensor(0, [1, 2, 1], "float32")], tensor(1, [1, 2, 2], "float32")),
        lambda x: x + np.float32("nan"),
        {},
    ),
    "a number on one side of a threshold": (PASSED, lambda x: x + np.float32("nan"), {}),
    "NaN behind the reference's own value": (BEHIND, lambda x: x if np.allclose(x, BIAS, atol=1e-3) else exactly(x), {}),
    "integers without overflow": (
        one("onnx.ReduceProd", [tensor(0, [1, 3], "int32", [2, 5])], tensor(1, [1, 1], "int32")),
        lambda x: x + 1,
        {},
    ),
    "approximate pass, larger error": (SUM, lambda x: x * np.float32(1.5), COARSE),
    "substituted 8-bit kernel, off by two": (STEP, lambda x: x + x.dtype.type(2 * (x.dtype == np.int8)), QUANTISED),
    "other kernel, off by one": (STEP, lambda x: x + x.dtype.type(x.dtype == np.int8), {}),
    "floats of an 8-bit kernel": (SUM, lambda x: x * np.float32(1.01), QUANTISED),
    "values that are unequal in half precision": (half_equal("0.5"), lambda x: x | True, {}),
    "an integer that is a maximum": (whole_pool("onnx.MaxPool"), lambda x: x + x.dtype.type(1), {}),
    "an integer that is a sum": (whole_mean("onnx.Sum", 3), lambda x: x - (x.dtype == np.int64), {}),
    "undeclared pass": (SUM, lambda x: x * np.float32(1.01), {}),
    "result that half precision does not give": (SQUARES, lambda x: x + np.float16(9), {}),
    "zeros without overflow in half precision": (
        one("onnx.LRN", [tensor(0, [3, 3, 1, 1], "float16", [20, 21])], tensor(1, [3, 3, 1, 1], "float16"), size="3"),
        np.zeros_like,
        {},
    ),
    "zeros of a second implementation in every precision": (
        one(
            "onnx.LpPool",
            [tensor(0, [5, 2, 1], "float16", [1, 5])],
            tensor(1, [5, 2, 1], "float16"),
            ceil_mode="1",
            kernel_shape="[23]",
            p="1",
            strides="[23]",
        ),
        np.zeros_like,
        {},
    ),
    "logarithms clamped at the minimum normal number": (SHARES, lambda x: np.maximum(x, np.float32(-87.4)), {}),
    "logarithms of normal numbers": (SHARES, lambda x: x - np.float32(1e-3) * (x > -87), {}),
    "discontinuity after an error above noise": (SATURATED, past_zero(1e-2), {}),
    "discontinuity with equal operands, skipped by the reference": (cropped(), beyond(0), {}),
    "results behind a discontinuity, other elements": (flattened(cropped()), beyond(3e-8, 1), {}),
    "results behind a discontinuity with equal operands": (flattened(cropped()), beyond(0), {}),
    "discontinuity with a positive operand": (cropped(), beyond(1e-9), {}),
    "discontinuity without noise": (SATURATED, lambda x: x | BELOW if x.dtype == bool else x, {}),
    "sum of an empty tensor": (
        one("onnx.ReduceSum", [tensor(0, [3, 0], "float32")], tensor(1, [], "float32"), keepdims="0"),
        lambda x: x + 1,
        {},
    ),
    "integers": (real("onnx.Shrink", bias="1.0", lambd="1.5"), lambda x: x + 1, {}),
    "root of a square": (real("onnx.ReduceL2", 3), lambda x: x + 1, {}),
    "approximate function, larger error": (GELU, lambda x: x * np.float32(1.1), APPROXIMATES),
    "integer-valued floats": (WHOLE, lambda x: x + np.float32(0.6), APPROXIMATES),
    "undeclared function": (
        one("onnx.Exp", [tensor(0, [9], "float32")], tensor(1, [9], "float32")),
        lambda x: x * np.float32(1.0001),
        APPROXIMATES,
    ),
    "transforms, larger error": (WINDOWS, lambda x: x + np.float32(abs(x).max() * 3e-3), {"APPROXIMATES": ("conv",)}),
    "functions of a target without APPROXIMATES": (GELU, lambda x: x * np.float32(1.0001), {}),
    "one element in two dimensions": (TOTAL, lambda x: x.reshape(1, 1), SCALARS),
    "one element with another value": (TOTAL, lambda x: x.reshape(1) + 1, SCALARS),
    "a target with scalars": (TOTAL, lambda x: x.reshape(1), {}),
    "a cast of an input to more digits": (CAST, lambda x: x * np.float32(1.05), {}),
    "a kernel for float64 that computes another function": (PARTIAL, lambda x: x * np.float16(1.5), {}),
    "NaN instead of a number of half precision": (BRIEF, lambda x: x * np.float32("nan"), {}),
    "masked rows": (MASKED, lambda x: x + 1, {}),
    "masked rows, NaN": (MASKED, lambda x: x + np.float32("nan"), {}),
    "32-bit integers": (last_digits(1 << 9), lambda x: x + 1, NARROW),
    "a target with 64-bit integers": (last_digits(1 << 20), lambda x: x + 1, {}),
}


class Silent(unittest.TestCase):
    """Excused differences and real faults."""

    def test_one_hot_of_quotients(self) -> None:
        self.assertEqual(verdict(place_of_bias(), before), "rounding")

    def test_sums_with_a_computed_zero_point(self) -> None:
        """In some sums, elements at a tie compensate the step of the zero point, and noise does not move these sums."""
        for by in (0, 5):  # for any tensor ids
            self.assertEqual(verdict(moved(summed("-5"), by), lambda x: x + 3), "rounding")
            self.assertEqual(verdict(moved(summed("-4"), by), lambda x: x + 3), "inconsistency")

    def test_transforms_that_are_approximate_by_design(self) -> None:
        """All elements differ by a fraction of the maximum."""
        little: Change = lambda x: x + np.float32(abs(x).max() * 3e-4)  # noqa: E731
        self.assertEqual(verdict(WINDOWS, little, APPROXIMATES=("conv",)), "ok")
        self.assertEqual(verdict(WINDOWS, little), "inconsistency")

    def test_fractions_between_integers(self) -> None:
        self.assertEqual(verdict(resized("uint8", "'linear'"), lambda x: x + x.dtype.type(1)), "unspecified")

    def test_classes(self) -> None:
        for name, (item, change, traits) in CASES.items():
            with self.subTest(name):
                self.assertIn(verdict(item, change, **traits), ("ok", "rounding", "unspecified"))

    def test_faults(self) -> None:
        for name, (item, change, traits) in FAULTS.items():
            with self.subTest(name):
                self.assertEqual(verdict(item, change, **traits), "inconsistency")

    def test_names(self) -> None:
        """Each excuse is named by the answer to one of its cases."""
        found = {name: judged(item, change, **traits).get("excuses", {}) for name, (item, change, traits) in CASES.items()}
        for excuse in excuses.every():
            cases = CASES.keys() & cases_of(excuse)
            with self.subTest(excuse):
                self.assertTrue(not cases or any(excuse in found[case] for case in cases), [found[case] for case in cases])

    def test_carried(self) -> None:
        """ "half precision carried in float32": without noise, runs that carry it explain the difference."""
        with unittest.mock.patch.object(rounding, "LEANS", ()), unittest.mock.patch.object(rounding, "MORE", 0):
            answer = judged(floors(-5), lambda x: x - 1)
        self.assertEqual((answer["verdict"], "half-kept-in-float32" in answer["excuses"]), ("rounding", True))

    def test_results_behind_approximate_calls(self) -> None:
        """The excuse covers results computed from an approximate call, not its operands."""
        from_it, to_it = one("onnx.Neg", [tensor(1, [9], "float32")], tensor(2, [9], "float32")), "onnx.Exp"
        behind = {**from_it, "inputs": GELU["inputs"], "nodes": GELU["nodes"] + from_it["nodes"]}
        self.assertEqual(verdict(behind, lambda x: x * np.float32(1.0001), **APPROXIMATES), "ok")
        before = json.loads(json.dumps(behind).replace("onnx.Gelu", to_it).replace("onnx.Neg", "onnx.Gelu"))
        self.assertEqual(verdict({**before, "outputs": [1]}, lambda x: x * np.float32(1.0001), **APPROXIMATES), "inconsistency")

    def test_scripts_excuse_what_the_verdict_does(self) -> None:
        """An approximate result beside a wrong one: the script must not report the approximate one."""
        wrong = one("onnx.Neg", [tensor(2, [3], "float32", [1, 2])], tensor(3, [3], "float32"))
        fake = target(lambda x: x * np.float32(1.0001) if x.shape == (9,) else x + 1)
        vars(fake.module).update(APPROXIMATES)
        check = Check(adapter, fake, Reader(adapter).model(beside(GELU, wrong)), Clock(lambda stage: None))
        self.assertEqual([d["id"] for d in check.run()["differs"]], [3])
        self.assertEqual(check.script_bounds(1), tolerance.bounds("neuri", "float32"))

    def test_residues_of_lower_precision(self) -> None:
        """The residue of equal numbers in float32, which is 0 in float64."""
        for wanted, off in (("rounding", lambda x: x + 4e-7 * (x == 0)), ("inconsistency", lambda x: x + 1e-4 * (x == 0))):
            with self.subTest(wanted):
                self.assertEqual(verdict(CENTRED, off), wanted)

    def test_invalid_stash_type(self) -> None:
        """stash_type 0 has no defined precision and is handled as a missing attribute."""
        item = one("onnx.LayerNormalization", NORMAL["inputs"], tensor(2, [2, 9], "float64"), stash_type="0")
        for wanted, off in (("rounding", 3e-7), ("inconsistency", 1e-3)):
            with self.subTest(wanted):
                self.assertEqual(verdict(item, functools.partial(np.multiply, 1 + off)), wanted)

    def test_operands_in_lower_precision(self) -> None:
        """Numbers near 300: float32 keeps four digits of their distances."""
        made, scale = [tensor(i, [40, 3], "float64") for i in (0, 2, 3)], tensor(1, [3], "float64")
        far = one("onnx.Add", [{**made[0], "values": "unit"}], made[1])
        value = {"elements": [{"const": "300.0"}] * 3, "dtype": "float64"}
        far["nodes"][0]["args"].append({"name": "B", "pos": True, "value": value})
        normal = one("onnx.LayerNormalization", [made[1], scale], made[2])
        item = {**far, "inputs": [*far["inputs"], scale], "nodes": far["nodes"] + normal["nodes"], "outputs": [3]}
        for wanted, factor in (("rounding", 1 + 5e-5), ("inconsistency", 1.5)):
            with self.subTest(wanted):
                self.assertEqual(verdict(item, functools.partial(np.multiply, factor)), wanted)

    def test_intermediate_underflow(self) -> None:
        """LogSoftmax by its definition: the logarithm of a quotient of exponentials."""

        def by_definition(x: Any) -> Any:
            return np.where(x < -110, -np.inf, x).astype(np.float32)

        self.assertEqual(verdict(UNLIKELY, by_definition), "rounding")
        self.assertEqual(verdict(UNLIKELY, lambda x: np.where(x < 0, -np.inf, x).astype(np.float32)), "inconsistency")
        self.assertEqual(verdict(UNLIKELY, lambda x: np.where(x < -110, 1, x).astype(np.float32)), "inconsistency")

    def test_behind_a_float32_call(self) -> None:
        """The residue of one element in float64, behind a window that is always float32."""
        for values in range(16):  # for some of these values the residue is small enough
            item = {**WINDOWED, "values": values}
            self.assertIn(verdict(item, lambda x: np.full_like(x, 0.08695650100708008)), ("ok", "rounding"))

    def test_behind_a_call_without_float64(self) -> None:
        """The float64 run up to the call without a float64 kernel is enough; no noise is needed."""
        with unittest.mock.patch.object(rounding, "LEANS", ()), unittest.mock.patch.object(rounding, "MORE", 0):
            self.assertEqual(verdict(SCALED, lambda x: x[..., :1] * 0 + SHIFT), "rounding")
            self.assertEqual(verdict(SCALED, lambda x: x[..., :1] * 0 + SHIFT + np.float32(1e-2)), "inconsistency")

    def test_limits_of_the_reference(self) -> None:
        """ "rejected by a limit of the reference". LRN: the specification leaves size 0 undefined (a division by 0) and rejects
        -1. onnx's evaluator cannot run more images than channels."""
        lax = target(lambda x: x)
        vars(lax.module)["compile"] = lambda model, example, stage: lambda *inputs: [-inputs[0]]
        for size, wanted, name in (("4", "unspecified", "rejects-by-its-own-limit"),
                                   ("0", "unspecified", "violated-requirement"),
                                   ("-1", "accepts-invalid", "")):  # fmt: skip
            item = one("onnx.LRN", [tensor(0, [5, 3, 2, 2], "float32")], tensor(1, [5, 3, 2, 2], "float32"), size=size)
            with self.subTest(size):
                check = Check(adapter, lax, Reader(adapter).model({**item, "near_miss": True}), Clock(lambda stage: None))
                answer = check.run()
                self.assertEqual((answer["verdict"], name in answer.get("excuses", {})), (wanted, bool(name)))

    def test_equal_numbers_beside_nan(self) -> None:
        """The error of the mean of a row of numbers, beside a row of NaN."""
        for far, wanted in ((2e-2, "rounding"), (1.0, "inconsistency")):
            with self.subTest(far):
                self.assertEqual(verdict(ABOVE_NONE, aside(far)), wanted)

    def test_operations_of_real_numbers(self) -> None:
        for api in ("onnx.ReduceL2", "onnx.ReduceLogSum", "onnx.ReduceLogSumExp"):
            with self.subTest(api):
                self.assertEqual(verdict(real(api, 4), lambda x: x + 1), "unspecified")

    def test_rejected_by_another_operator_set(self) -> None:
        """ "rejected by another operator set". AffineGrid's kernel checks the batch size; its function body in the target's
        older operator set does not. A model that both versions reject is a finding if the target runs it."""
        size = {"elements": [{"const": str(n)} for n in (6, 5, 9, 7)], "dtype": "int64"}
        item = one("onnx.AffineGrid", [tensor(0, [7, 2, 3], "float16")], tensor(1, [7, 9, 7, 2], "float16"))
        item["nodes"][0]["args"].append({"name": "size", "pos": True, "value": size})
        answer = judged({**item, "near_miss": True}, lambda x: x)
        self.assertEqual((answer["verdict"], answer["excuses"]), ("unspecified", {"accepted-in-another-operator-set": 1}))
        both = one("onnx.Add", [tensor(0, [2, 3], "float32"), tensor(1, [4, 3], "float32")], tensor(2, [4, 3], "float32"))
        self.assertEqual(verdict({**both, "near_miss": True}, lambda x: x), "ok")
        lax = target(lambda x: x)
        vars(lax.module)["compile"] = lambda model, example, stage: lambda *inputs: [inputs[0]]
        check = Check(adapter, lax, Reader(adapter).model({**both, "near_miss": True}), Clock(lambda stage: None))
        self.assertEqual(check.run()["verdict"], "accepts-invalid")
        vars(lax.module)["compile"] = lambda model, example, stage: lambda *inputs: []
        with self.subTest("a target that returns nothing rejects it"):
            self.assertEqual(check.run()["verdict"], "ok")

    def test_division_by_zero(self) -> None:
        """ "division by zero". LRN with size 0 divides by 0, which onnxruntime rejects and the specification leaves undefined.
        Size -1 is invalid."""
        lax = target(lambda x: x)
        vars(lax.module)["compile"] = lambda model, example, stage: lambda *inputs: [-inputs[0]]
        for size, wanted in (("0", "unspecified"), ("-1", "accepts-invalid")):
            item = one("onnx.LRN", [tensor(0, [1, 3, 2, 2], "float32")], tensor(1, [1, 3, 2, 2], "float32"), size=size)
            with self.subTest(size):
                check = Check(adapter, lax, Reader(adapter).model({**item, "near_miss": True}), Clock(lambda stage: None))
                self.assertEqual(check.run()["verdict"], wanted)

    def test_second_implementation_agrees(self) -> None:
        """ "second implementation agrees". onnxruntime rejects strides of 0 and onnx's evaluator accepts them. A target that
        agrees with the evaluator is right; any other result is a finding."""
        item = one("onnx.MaxUnpool", [tensor(0, [1, 1, 2, 2], "float32", [1, 4]), tensor(1, [1, 1, 2, 2], "int64", [0, 1])],
                   tensor(2, [1, 1, 3, 2], "float32"), kernel_shape="[2, 2]", strides="[1, 0]")  # fmt: skip
        for more, wanted, names in ((0, "unspecified", {"second-accepts": 1}), (1, "accepts-invalid", {})):
            lax = target(lambda x: x)
            vars(lax.module)["compile"] = lambda model, example, stage, more=more: lambda *inputs: [
                ReferenceEvaluator(model).run(None, {"t0": inputs[0], "t1": inputs[1]})[0] + np.float32(more)]  # fmt: skip
            with self.subTest(more):
                check = Check(adapter, lax, Reader(adapter).model({**item, "near_miss": True}), Clock(lambda stage: None))
                answer = check.run()
                self.assertEqual((answer["verdict"], answer.get("excuses", {})), (wanted, names))

    def test_rejected_behind_a_specification_violation(self) -> None:
        """ "rejected behind a specification violation". TopK of 2 behind a Compress. A condition longer than the input is
        undefined: one or two elements may be left. With a condition of the right length it is one, and accepting TopK is a
        finding."""
        lax = target(lambda x: x)
        vars(lax.module)["compile"] = lambda model, example, stage: lambda *inputs: [inputs[0]]
        for conditions, wanted in ((5, "unspecified"), (2, "accepts-invalid")):
            told = {"elements": [{"const": str(i in (1, 4))} for i in range(conditions)], "dtype": "bool"}
            item = one("onnx.Compress", [tensor(0, [2], "float32")], tensor(1, [1], "float32"))
            item["nodes"][0]["args"][0]["name"] = "input"
            item["nodes"][0]["args"].append({"name": "condition", "pos": True, "value": told})
            item["nodes"] += one("onnx.Neg", [tensor(1, [1], "float32")], tensor(2, [1], "float32"))["nodes"]
            last = one("onnx.TopK", [tensor(2, [1], "float32")], tensor(3, [2], "float32"))["nodes"][0]
            last["args"].append({"name": "K", "pos": True, "value": {"elements": [2], "dtype": "int64"}})
            last["outputs"].append(tensor(4, [2], "int64"))
            item |= {"nodes": [*item["nodes"], last], "outputs": [3], "near_miss": True}
            with self.subTest(conditions):
                check = Check(adapter, lax, Reader(adapter).model(item), Clock(lambda stage: None))
                answer = check.run()
                named = "unused-invalid-call" in answer.get("excuses", {})
                self.assertEqual((answer["verdict"], named), (wanted, conditions == 5))

    def test_passes_of_onnxruntime(self) -> None:
        """Two quantizations in a row: the optimizer removes one, which its file declares as an intended difference."""
        with unittest.mock.patch.dict(os.environ):
            real_target = targets.load("onnxruntime")
            real_target.prepare()
            for names, wanted in ((real_target.module.COARSE, "rounding"), ((), "inconsistency")):
                with self.subTest(names), unittest.mock.patch.object(real_target.module, "COARSE", names):
                    model = Reader(adapter).model(requantised("0.035", "0.019"))
                    answer = Check(adapter, real_target, model, Clock(lambda stage: None)).run()
                    self.assertEqual(answer["verdict"], wanted)

    def test_saturation_behind_a_coarse_pass(self) -> None:
        """8-bit weights move the convolution by 0.2 % of its maximum, a tenth of the quantized range. An error that
        is small relative to the convolution is excused; an error of the last call alone is reported."""
        for names, wanted in ((("WeightBiasQuantization",), "rounding"), ((), "inconsistency")):
            real_target = targets.load("onnxruntime")
            with self.subTest(names), unittest.mock.patch.dict(os.environ):
                real_target.prepare()
                with unittest.mock.patch.object(real_target.module, "COARSE", names):
                    model = Reader(adapter).model(saturating("0.0035"))
                    answer = Check(adapter, real_target, model, Clock(lambda stage: None)).run()
                    self.assertEqual(answer["verdict"], wanted)
        off = verdict(saturating("0.0035"), lambda x: x + x.dtype.type(20 * (x.dtype == np.int8)), **COARSE)
        self.assertEqual(off, "inconsistency")

    def test_two_coarse_passes(self) -> None:
        """Two outputs with coarse differences, each caused by another pass."""
        item = beside(requantised("0.035", "0.019"), moved(saturating("0.0035"), 9))
        for names, wanted in ((None, "rounding"), (("DoubleQDQPairsRemover",), "inconsistency")):
            real_target = targets.load("onnxruntime")
            with self.subTest(names), unittest.mock.patch.dict(os.environ):
                real_target.prepare()
                with unittest.mock.patch.object(real_target.module, "COARSE", names or real_target.module.COARSE):
                    answer = Check(adapter, real_target, Reader(adapter).model(item), Clock(lambda stage: None)).run()
                    self.assertEqual(answer["verdict"], wanted)

    def test_a_coarse_pass_beside_random_calls(self) -> None:
        """onnxruntime has no kernel for the random call and removes it if only its shape is used."""
        drawn, ends = {**tensor(2, [2], "float32"), "random": True}, {**tensor(3, [1], "int64"), "random": True}
        random = one("onnx.RandomNormalLike", [tensor(0, [2], "float32")], drawn, seed="1.0")
        item = beside(saturating("0.0035"), moved({**random, "outputs": [3]}, 9))
        item["nodes"] += moved(one("onnx.Shape", [drawn], ends), 9)["nodes"]
        real_target = targets.load("onnxruntime")
        with unittest.mock.patch.dict(os.environ):
            real_target.prepare()
            answer = Check(adapter, real_target, Reader(adapter).model(item), Clock(lambda stage: None)).run()
        self.assertEqual(answer["verdict"], "rounding")

    def test_behind_a_kernel_of_eight_bits(self) -> None:
        """The reference continues with the result of onnxruntime's quantized Softmax, which may be off by one."""
        shape = [1, 4, 6, 6]
        given, floats, made = tensor(0, shape, "int8", [-128, 128]), tensor(1, shape, "float32"), tensor(3, shape, "int8")
        shares = tensor(2, shape, "float32")
        nodes = [by("onnx.DequantizeLinear", 0, "0.05", "0", floats), *one("onnx.Softmax", [floats], shares)["nodes"],
                 by("onnx.QuantizeLinear", 2, "0.003921569", "-128", made),
                 *one("onnx.BitwiseNot", [made], tensor(4, shape, "int8"))["nodes"]]  # fmt: skip
        item = {"values": 5, "inputs": [given], "nodes": nodes, "outputs": [4]}
        for names, wanted in ((("QDQSelectorActionTransformer",), "rounding"), ((), "inconsistency")):
            real_target = targets.load("onnxruntime")
            with self.subTest(names), unittest.mock.patch.dict(os.environ):
                real_target.prepare()
                with unittest.mock.patch.object(real_target.module, "QUANTISED", names):
                    answer = Check(adapter, real_target, Reader(adapter).model(item), Clock(lambda stage: None)).run()
                    self.assertEqual(answer["verdict"], wanted)

    def test_two_quantizations_made_one(self) -> None:
        """onnxruntime makes one quantization of two in a row, which may lose a step: Floor(1) is 0."""
        floor = one("onnx.Floor", [tensor(4, [40], "float32")], tensor(5, [40], "float32"))["nodes"]
        nodes = [*pair(0, "1.0", [40]), *pair(2, "0.03", [40]), *floor]
        item = {"values": 5, "inputs": [tensor(0, [40], "float32")], "nodes": nodes, "outputs": [5]}
        for names, wanted in ((("DoubleQDQPairsRemover",), "rounding"), ((), "inconsistency")):
            real_target = targets.load("onnxruntime")
            with self.subTest(names), unittest.mock.patch.dict(os.environ):
                real_target.prepare()
                with unittest.mock.patch.object(real_target.module, "COARSE", names):
                    answer = Check(adapter, real_target, Reader(adapter).model(item), Clock(lambda stage: None)).run()
                    self.assertEqual(answer["verdict"], wanted)

    def test_quantizations_before_a_normalization(self) -> None:
        """onnxruntime loses the coarse quantization, whose results are all 0. The fine one's are normalized: an element moves
        by what its neighbours do, far in some rows."""
        shape, scale = [400, 8], tensor(6, [1], "float32", [1, 2])
        normal = one("onnx.LayerNormalization", [tensor(4, shape, "float32"), scale], tensor(5, shape, "float32"))["nodes"]
        nodes = [*pair(0, "47.0", shape), *pair(2, "1.0", shape), *normal]
        item = {"values": 5, "inputs": [tensor(0, shape, "float32"), scale], "nodes": nodes, "outputs": [5]}
        for names, wanted in ((("DoubleQDQPairsRemover",), "rounding"), ((), "inconsistency")):
            real_target = targets.load("onnxruntime")
            with self.subTest(names), unittest.mock.patch.dict(os.environ):
                real_target.prepare()
                with unittest.mock.patch.object(real_target.module, "COARSE", names):
                    answer = Check(adapter, real_target, Reader(adapter).model(item), Clock(lambda stage: None)).run()
                    self.assertEqual(answer["verdict"], wanted)

    def test_product_with_quantized_weights(self) -> None:
        """onnxruntime rounds the other factor to 8 bits: docs/findings/onnx-matmulnbits-activations.md."""
        weights, floats = {**tensor(0, [32, 16], "int8", [1, 2]), "constant": True}, tensor(1, [32, 16], "float32")
        factor = tensor(2, [1, 32], "float32")
        product = one("onnx.MatMul", [factor, floats], tensor(3, [1, 16], "float32"))["nodes"]
        nodes = [by("onnx.DequantizeLinear", 0, "1.0", "0", floats), *product]
        model = Reader(adapter).model({"values": 5, "inputs": [weights, factor], "nodes": nodes, "outputs": [3]})
        with unittest.mock.patch.dict(os.environ):
            real_target = targets.load("onnxruntime")
            real_target.prepare()
            answer = Check(adapter, real_target, model, Clock(lambda stage: None)).run()
        self.assertEqual(answer["verdict"], "inconsistency")

    def test_two_lists(self) -> None:
        """Steps are excused beside 8-bit kernels only if the coarse optimizations change results as well."""
        for agrees, changes, kind in (
            ("a", "a", "COARSE"), ("a,b", "b", "QUANTISED"), ("a,b", "a", "BOTH"), ("c", "a", ""), ("a,b", "c", "")
        ):  # fmt: skip

            def off() -> str:
                return os.environ.get("WITHOUT", "")

            module = types.SimpleNamespace(COARSE=("a",), QUANTISED=("b",), WITHOUT="WITHOUT")
            check: Any = types.SimpleNamespace(target=Target("fake", cast(types.ModuleType, module)))
            check.by = unittest.mock.Mock(return_value=check)
            check.changed = lambda changes=changes: off() if changes in off() else None
            check.agrees = lambda got, agrees=agrees: got == agrees
            with self.subTest(kind):
                self.assertEqual(coarse.meant(check), kind)

    def test_steps(self) -> None:
        """One step of a quantization moves later tensors, at most FACTOR times of it is excused, and nothing without one."""
        relu = one("onnx.Relu", [tensor(0, [40], "float32")], tensor(3, [40], "float32"))["nodes"]
        nodes, given = [*pair(0, "0.5", [40]), *relu], [tensor(0, [40], "float32")]
        model = Reader(adapter).model({"values": 5, "inputs": given, "nodes": nodes, "outputs": [2, 3]})
        reference = Reference(adapter, model)
        reference.run()
        found = coarse.Steps(adapter, model, reference.inputs, reference.values)
        self.assertEqual([set(most.tolist()) for most in found.moved(1)], [{1.0}] * coarse.RUNS)
        self.assertEqual([set(most.tolist()) for most in found.moved(2)], [{0.5}] * coarse.RUNS)
        self.assertEqual([*found.moved(3)], [])
        self.assertEqual(len(found._found), coarse.RUNS)  # made once
        want = adapter.seen(reference.values[2])
        none = want[3] * 0
        for apart, little in ((1.0, True), (1.25, False)):
            excused = coarse.stepped((*want[:3], none + np.float32(apart)), (*want[:3], none), lambda: found.moved(2))
            self.assertEqual(set(excused.tolist()), {little})
        far = (*want[:3], none * np.float32("nan"))
        nothing = coarse.stepped(far, (*want[:3], none), lambda: iter([none + np.float32("inf")]))
        self.assertEqual(set(nothing.tolist()), {True})  # a step leaves the domain of a call, and so may the target
        alone = Reader(adapter).model({"values": 5, "inputs": given, "nodes": relu, "outputs": [3]})
        self.assertEqual([*coarse.Steps(adapter, alone, reference.inputs, reference.values).moved(3)], [])

    def test_little(self) -> None:
        """A share of the maximum is decided for each element, and integers do not wrap."""
        for dtype, want, got, little in (
            ("uint8", [255, 200], [1, 205], [False, True]), ("int8", [-128, 100], [127, 99], [False, True]),
            ("float32", [1.0, 8.0], [1.2, 9.0], [True, False]), ("bool", [True, False], [True, True], [True, False]),
        ):  # fmt: skip
            one_seen, other = (("", (2,), dtype, np.array(x, dtype)) for x in (got, want))
            with self.subTest(dtype):
                self.assertEqual(coarse.by_share("COARSE", one_seen, other).tolist(), little)

    def test_half_precision_carried_in_more(self) -> None:
        """With 11 bits, tanh x > x holds only for large negative x, and HardSwish(-3) is 0 by rounding."""
        with unittest.mock.patch.object(rounding, "LEANS", ()), unittest.mock.patch.object(rounding, "MORE", 0):
            self.assertEqual(verdict(curved("onnx.Tanh"), lambda x: x | True), "rounding")
            self.assertEqual(verdict(curved("onnx.Exp"), lambda x: x & False), "inconsistency")

    def test_values_that_noise_misses(self) -> None:
        """Running the reference call by call shows the difference without noise, which may miss the value."""
        with unittest.mock.patch.object(rounding, "LEANS", (1.0,)), unittest.mock.patch.object(rounding, "MORE", 0):
            for angle, wanted in (("0.01", "rounding"), ("0.5", "inconsistency")):
                with self.subTest(angle):
                    self.assertEqual(verdict(half_equal(angle), lambda x: x | True), wanted)

    def test_environment_is_restored(self) -> None:
        before = os.environ.get(VARIABLE, "")
        verdict(SUM, lambda x: x * np.float32(1.01), **COARSE)
        self.assertEqual(os.environ.get(VARIABLE, ""), before)


if __name__ == "__main__":
    unittest.main()
