"""ONNX's parts of a short script, with the model in ONNX's text format if possible."""

from __future__ import annotations

import base64
from collections.abc import Sequence
from typing import Any

import onnx

from rulefuzz import own
from rulefuzz.framework import Short
from rulefuzz.model import Model
from rulefuzz.script import spell

UNOPTIMISED = """options = ort.SessionOptions()
options.graph_optimization_level = ort.GraphOptimizationLevel.ORT_DISABLE_ALL
"""
RUNTIME = "{} = ort.InferenceSession({}.SerializeToString(), options).run(None, inputs)[0]"
NEWEST = """newest = onnx.ModelProto.FromString(model.SerializeToString())
newest.opset_import[{}].version = {}  # the same model; the kernels are others
"""
EVALUATOR = "{} = ReferenceEvaluator(model{}).run(None, inputs)[0]"
WIDTH = 120
DIRTY = "ctypes.CDLL(None).mallopt(-6, 0xB4)  # glibc: fresh memory is not zero"


def quoted(text: str) -> str:
    """A literal of the text, over several lines if nothing in it could end it early."""
    plain = all(c.isprintable() or c == "\n" for c in text) and "\\" not in text and '"""' not in text
    return f'"""{text.strip()}\n"""' if plain else repr(text)


def _text(made: Any) -> str:
    """The model's text, which is parsed as the same model. Raises Unsayable."""
    header, opening, rest = str(onnx.printer.to_text(made)).partition(">")
    graph, brace, body = rest.partition("{\n")
    text = "\n".join([" ".join((header + opening).split()).replace("< ", "<").replace(" >", ">"),
                      " ".join((graph + brace).split()), body])  # fmt: skip
    try:
        again = onnx.parser.parse_model(text)
    except Exception as error:
        raise spell.Unsayable("ONNX's parser rejects the text of this model") from error
    if _said(again) != _said(made):
        raise spell.Unsayable("ONNX's text format changes this model")
    return text


def coded(name: str, made: Any) -> str:
    """Lines of a script that load a model from its bytes."""
    text = base64.b64encode(made.SerializeToString()).decode()
    lines = "\n".join(f'    "{text[i : i + 100]}"' for i in range(0, len(text), 100))
    return f"{name} = onnx.ModelProto.FromString(base64.b64decode(\n{lines}\n))"


def _model(made: Any) -> list[str]:
    """Lines that make the model: from its text, or from its bytes if the text gives another model."""
    try:
        return [f"model = onnx.parser.parse_model({quoted(_text(made))})"]
    except spell.Unsayable as why:
        return ["import base64", f"# As bytes: {why}.", *coded("model", made).splitlines()]


def _said(model: Any) -> Any:
    """A model's content, without the names of nodes and empty fields."""
    kept = onnx.ModelProto()
    kept.CopyFrom(model)
    for nodes in (kept.graph.node, *(function.node for function in kept.functions)):
        _drop_empty(nodes)
    model = kept
    tensors = [(t.name, t.data_type, onnx.numpy_helper.to_array(t).tolist()) for t in model.graph.initializer]
    infos = [[(i.name, i.type.SerializeToString()) for i in items] for items in (model.graph.input, model.graph.output)]
    nodes = [(n.op_type, n.domain, [*n.input], [*n.output], sorted(map(_attribute, n.attribute))) for n in model.graph.node]
    functions = [function.SerializeToString(deterministic=True) for function in model.functions]
    return tensors, infos, nodes, functions, [(i.domain, i.version) for i in model.opset_import]


def _drop_empty(nodes: Any) -> None:
    """Drops empty domains of nodes, also in subgraphs, since the text omits them."""
    for node in nodes:
        if not node.domain:
            node.ClearField("domain")
        for attribute in node.attribute:
            _drop_empty(attribute.g.node)


def _attribute(attribute: Any) -> tuple[str, str]:
    value = onnx.helper.get_attribute_value(attribute)
    if attribute.type == onnx.AttributeProto.TENSOR:
        value = value.data_type, onnx.numpy_helper.to_array(value).tolist()
    return str(attribute.name), f"{attribute.type} {value!r}"


def _packed(start: str, items: list[str], end: str) -> list[str]:
    """Items on lines of at most 120 characters."""
    whole = start + ", ".join(items) + end
    if len(whole) <= WIDTH:
        return [whole]
    lines = [""]
    for item in items:
        if lines[-1] and len(lines[-1]) + len(item) > WIDTH - 8:
            lines.append("")
        lines[-1] += (" " if lines[-1] else "    ") + item + ","
    return [start, *lines, end]


def short(model: Model, made: Any, said: dict[int, str], compared: str, limits: tuple[float, float], evaluator: bool,
          classes: Sequence[str] = (), newest: int = 0) -> Short:  # fmt: skip
    """See Framework. `made`: the model with its small constants only. `evaluator`: whether the reference evaluator is the
    reference, with user-defined classes. `newest`: the operator set that the reference runs; 0: its own."""
    for i, node in enumerate(made.graph.node):
        node.ClearField("name") if not node.name or node.name == f"n{i}" else None
    lines = [*spell.mixing(said.values()), *_model(made)]
    there = {tensor.name for tensor in made.graph.initializer}
    for t in (t for t in model.constants if f"t{t.id}" not in there):
        lines.append(f'model.graph.initializer.append(onnx.numpy_helper.from_array({said[t.id]}, "t{t.id}"))')
    fed = [f'"t{t.id}": {said[t.id]}' for t in model.fed]
    lines += _packed("inputs = {", fed, "}")
    imports = [*spell.importing(said.values()), "import numpy as np", "import onnx"]
    given = f", new_ops=[{', '.join(classes)}]" if classes else ""
    run = EVALUATOR.format("{}", given) if evaluator else RUNTIME.format("{}", "newest" if newest else "model")
    imports += own.imports(classes)
    imports.append("from onnx.reference import ReferenceEvaluator" if evaluator else "import onnxruntime as ort")
    domains = [operators.domain for operators in made.opset_import]
    before = NEWEST.format(domains.index(""), newest) if newest else ""
    reference, after = before + ("" if evaluator else UNOPTIMISED) + run.format("expected"), ""
    absolute, relative = limits
    compare = "np.testing.assert_array_equal(actual, expected, strict=True)"
    if compared == "inputs":
        reference = "expected = {name: array.copy() for name, array in inputs.items()}\n"
        reference += ("" if evaluator else UNOPTIMISED) + run.format("_")
        after = "actual = inputs"
        compare = "for name in inputs:\n    np.testing.assert_array_equal(actual[name], expected[name])"
    elif compared == "twice":
        imports.append("import ctypes")
        after = f"{DIRTY}\n{run.format('actual')}"
    elif absolute or relative:
        compare = f"np.testing.assert_allclose(actual, expected, rtol={relative!r}, atol={absolute!r}, strict=True)"
    return Short(tuple(imports), "\n".join(lines), reference, compare, after)
