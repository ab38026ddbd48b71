"""Targets that rewrite ONNX models: what is run, compared and blamed. Stand-ins replace the tools, with and
without a planted fault. Needs onnx and onnxruntime."""

from __future__ import annotations

import sys
import unittest
import unittest.mock
from collections.abc import Callable, Sequence
from types import ModuleType
from typing import Any

try:
    import numpy as np
    import onnx
    import onnxruntime  # noqa: F401  the rewritten models run in it

    from rulefuzz import targets
    from rulefuzz.frameworks.onnx_arrays import array_of
    from rulefuzz.rewrite import onnx as rewrite
except ImportError as missing:
    raise unittest.SkipTest(str(missing)) from None

X = np.array([[-1.0, 2.0, -3.0], [4.0, -5.0, 6.0]], np.float32)
RELU = onnx.parser.parse_model("""<ir_version: 10, opset_import: ["" : 18]>
g (float[n,3] x, float[1] unused) => (float[n,3] y) { z = Add (x, x) y = Relu (z) }""")
TOOLS = {  # target: the function of the tool, which takes the model first
    "onnxslim": "onnxslim.slim",
    "onnxsim": "onnxsim.simplify",
    "onnxoptimizer": "onnxoptimizer.optimize",
    "onnxscript-optimizer": "onnxscript.optimizer.optimize",
    "onnxscript-rewriter": "onnxscript.rewriter.rewrite",
    "onnxscript-version-converter": "onnxscript.version_converter.convert_version",
    "onnx-version-converter": "onnx.version_converter.convert_version",
    "onnxconverter-float16": "onnxconverter_common.float16.convert_float_to_float16",
    "onnxruntime-quantization": "onnxruntime.quantization.quantize_dynamic",
    "onnxruntime-transformers": "onnxruntime.transformers.optimizer.optimize_model",
}


def untyped(text: str) -> Any:
    """The model without the types of its outputs."""
    model = onnx.parser.parse_model(text)
    for info in model.graph.output:
        info.ClearField("type")
    return model


def same(model: Any) -> Any:
    """No change."""
    return model


def faulty(model: Any) -> Any:
    """A wrong rewrite, in place."""
    for node in model.graph.node:
        if node.op_type == "Relu":
            node.op_type = "Neg"
    return model


def compiled(tool: Callable[[Any], Any], model: Any, *example: Any) -> Callable[..., Sequence[Any]]:
    """The call of a model that the tool rewrites."""
    call: Callable[..., Sequence[Any]] = rewrite.compiled(tool, model, list(example), lambda stage: None)
    return call


def stand_in(path: str, function: Callable[..., Any]) -> dict[str, ModuleType]:
    """Modules in place of a tool's, with this function."""
    parts = path.split(".")[:-1]
    names = [".".join(parts[: i + 1]) for i in range(len(parts))]
    made = {name: ModuleType(name) for name in names if name not in ("onnx", "onnxruntime")}
    for name, module in made.items():
        parent, _, last = name.rpartition(".")
        if parent in made:
            setattr(made[parent], last, module)
    setattr(made[names[-1]], path.rpartition(".")[2], function)
    ir = made.setdefault("onnx_ir", ModuleType("onnx_ir"))  # models that are changed in place
    vars(ir).update(from_proto=same, to_proto=same)
    if "onnxoptimizer" in made:
        vars(made["onnxoptimizer"])["get_fuse_and_elimination_passes"] = list
    return made


class Rewriters(unittest.TestCase):
    """Every target of the kind."""

    def run_with(self, name: str, tool: Callable[[Any], Any]) -> Any:
        def function(model: Any, *args: Any, **named: Any) -> Any:
            made = tool(model)
            if name == "onnxsim":
                return made, True
            if name == "onnxruntime-quantization":
                onnx.save(made, args[0])
            return type("Optimized", (), {"model": made}) if name == "onnxruntime-transformers" else made

        modules = stand_in(TOOLS[name], function)
        here = unittest.mock.patch.object(onnx, "version_converter", modules.get("onnx.version_converter"), create=True)
        with unittest.mock.patch.dict(sys.modules, modules), here:
            call = targets.load(name).compile(RELU, [X, X[0, :1]], lambda stage: None)
        return array_of(call(X, X[0, :1])[0])

    def test_run_the_rewritten_model(self) -> None:
        for name in TOOLS:
            with self.subTest(name):
                self.assertEqual(self.run_with(name, same).tolist(), np.maximum(X + X, 0).tolist())
                self.assertEqual(self.run_with(name, faulty).tolist(), (-X - X).tolist())
                self.assertEqual([node.op_type for node in RELU.graph.node], ["Add", "Relu"])

    def test_all_are_here(self) -> None:
        files = {name for name in targets.names() if getattr(targets.load(name).module, "compiled", None) is rewrite.compiled}
        self.assertEqual(files, set(TOOLS))


class Shared(unittest.TestCase):
    """rewrite/onnx.py."""

    def test_other_shapes(self) -> None:
        call = compiled(same, RELU, X, X[0, :1])
        self.assertEqual(array_of(call(X[:1], X[0, :1])[0]).tolist(), [[0.0, 4.0, 0.0]])

    def test_outputs_are_typed(self) -> None:
        seen: list[Any] = []
        for body, kind, rank in (
            ("y = Relu (x)", onnx.TensorProto.FLOAT, 2),
            ("y = com.microsoft.Gelu (x)", onnx.TensorProto.FLOAT, 2),
            ("y = Unique (x)", onnx.TensorProto.FLOAT, 1),
            ("s = Shape (x) z = Reshape (x, s) y = Cast <to: int = 8> (z)", onnx.TensorProto.STRING, 2),
        ):
            header = '<ir_version: 10, opset_import: ["" : 18, "com.microsoft" : 1]>'
            model = untyped(f"{header} g (float[2,3] x) => (y) {{ {body} }}")

            def keep(copy: Any) -> Any:
                seen.append(copy)
                return copy

            compiled(keep, model, X)(X)
            told = seen[-1].graph.output[0].type.tensor_type
            with self.subTest(body):
                self.assertEqual((told.elem_type, len(told.shape.dim), told.HasField("shape")), (kind, rank, True))
                self.assertFalse(model.graph.output[0].HasField("type"))

    def test_dropped_input(self) -> None:
        def drop(model: Any) -> Any:
            del model.graph.input[1]
            return model

        self.assertEqual(array_of(compiled(drop, RELU, X, X[0, :1])(X, X[0, :1])[0]).tolist(), np.maximum(X + X, 0).tolist())

    def test_lost_output(self) -> None:
        def rename(model: Any) -> Any:
            model.graph.node[1].output[0] = model.graph.output[0].name = "other"
            return model

        with self.assertRaises(Exception):  # noqa: B017  onnxruntime's exceptions have no common base
            compiled(rename, RELU, X, X[0, :1])(X, X[0, :1])

    def test_rejections(self) -> None:
        target = targets.load("onnx-version-converter")

        def unknown(model: Any) -> Any:
            model.graph.node[1].op_type = "NoSuchOperator"
            return model

        with self.assertRaisesRegex(Exception, "onnxruntime rejects the rewritten model: .*NoSuchOperator") as caught:
            compiled(unknown, RELU, X, X[0, :1])
        self.assertNotIsInstance(caught.exception, NotImplementedError)
        self.assertFalse(target.refuses(caught.exception))
        with self.assertRaisesRegex(NotImplementedError, "rejects the original model"):
            compiled(same, unknown(type(RELU).FromString(RELU.SerializeToString())), X, X[0, :1])

    def test_no_kernel_is_the_rewriters_failure(self) -> None:
        def narrow(model: Any) -> Any:
            model.graph.input[0].type.tensor_type.elem_type = onnx.TensorProto.BFLOAT16
            model.graph.output[0].type.tensor_type.elem_type = onnx.TensorProto.BFLOAT16
            return model

        with self.assertRaisesRegex(Exception, "rejects the rewritten model: .*no kernel") as caught:
            compiled(narrow, RELU, X, X[0, :1])
        self.assertNotIn("not_implemented", str(caught.exception).lower())

    def test_dtypes_and_strings(self) -> None:
        import ml_dtypes

        header = '<ir_version: 10, opset_import: ["" : 18]>'
        half = np.array([1.5, 2.5], ml_dtypes.bfloat16)
        model = untyped(f"{header} g (bfloat16[2] x) => (y) {{ y = Identity (x) }}")
        self.assertEqual(array_of(compiled(same, model, half)(half)[0]).tolist(), half.tolist())
        words = np.array(["a", "b"], object)
        model = untyped(f"{header} g (string[2] x) => (y) {{ y = Identity (x) }}")
        self.assertEqual(list(compiled(same, model, words)(words)[0]), ["a", "b"])


if __name__ == "__main__":
    unittest.main()
