"""Targets of other projects: how each handles rejections, dtypes and inputs that the compiler removes. The compilers
are replaced by stand-ins that raise their messages. Needs onnx."""

from __future__ import annotations

import itertools
import os
import re
import sys
import unittest
import unittest.mock
from collections.abc import Sequence
from types import ModuleType, SimpleNamespace
from typing import Any

try:
    import ml_dtypes
    import numpy as np
    import onnx
    from onnx import TensorProto, helper
    from onnx.reference import ReferenceEvaluator

    from rulefuzz import targets
except ImportError as missing:
    raise unittest.SkipTest(str(missing)) from None

FLOATS = np.array([1.0, 2.0], np.float32)


def model(inputs: Sequence[tuple[str, int]], nodes: Sequence[tuple[str, str, str]], outputs: Sequence[tuple[str, int]]) -> Any:
    """An ONNX model on tensors of two elements; a node is an operator, its inputs ("a b") and its output."""
    made = [helper.make_node(op, taken.split(), [out]) for op, taken, out in nodes]
    infos = [[helper.make_tensor_value_info(name, kind, [2]) for name, kind in side] for side in (inputs, outputs)]
    return helper.make_model(helper.make_graph(made, "g", *infos), opset_imports=[helper.make_opsetid("", 18)], ir_version=8)


ADD = model([("t0", TensorProto.FLOAT), ("t1", TensorProto.FLOAT)], [("Sub", "t0 t1", "t2")], [("t2", TensorProto.FLOAT)])


def identity(kind: int) -> Any:
    """A model that returns its input."""
    return model([("t0", kind)], [("Identity", "t0", "t1")], [("t1", kind)])


class Converters(unittest.TestCase):
    """Common parts of the tests."""

    name = ""

    def compiled(self, made: Any, example: Sequence[Any], **modules: Any) -> Any:
        """The target's compiled model, with these modules installed."""
        stages: list[str] = []
        with unittest.mock.patch.dict(sys.modules, modules):
            function = targets.load(self.name).compile(made, example, stages.append)
        self.assertEqual(stages, ["run"])
        return function

    def assert_fails(self, kind: type[Exception], message: str, *args: Any, **modules: Any) -> None:
        """The target raises this error and leaves no descriptor open."""
        before = len(os.listdir("/proc/self/fd"))
        with self.assertRaisesRegex(kind, message) as caught:
            self.compiled(*args, **modules)
        if kind is RuntimeError:
            self.assertNotIsInstance(caught.exception, NotImplementedError)
        self.assertEqual(len(os.listdir("/proc/self/fd")), before)


class OpenVino(Converters):
    """openvino."""

    name = "openvino"

    def test_limits_are_unsupported(self) -> None:
        refuses = targets.load("openvino").refuses
        self.assertTrue(refuses(RuntimeError("Unexpected: CPU plug-in doesn't support Squeeze operation with dynamic rank.")))
        self.assertTrue(refuses(RuntimeError("DequantizeLinear: … cannot operate with dynamic shapes of input X")))
        self.assertTrue(refuses(RuntimeError("ArgMin: Normalized axis of TopK is unknown")))
        self.assertTrue(refuses(RuntimeError("QLinearMatMul: Rank of the input data tensor has to be known (static).")))
        self.assertTrue(refuses(RuntimeError("STFT: Shape of signal input must be static with the rank equal to 3.")))
        self.assertTrue(refuses(RuntimeError("RotaryEmbedding: cos_cache must have static rank >= 2")))
        self.assertFalse(refuses(RuntimeError("DequantizeLinear: doesn't support case when dimension cannot be divided")))

    def openvino(self, error: str = "", kept: Sequence[tuple[str, str]] = (("t0", "t0"), ("t1", "t1"))) -> ModuleType:
        """The stand-in. `kept`: the compiled model's inputs, each with its name and the model's name."""
        types = SimpleNamespace(f64="f64", f32="f32", bf16="bf16", i4="i4", u4="u4", string="string", other="other")
        kinds = {"float64": "f64", "float32": "f32", "bfloat16": "bf16"}

        class Tensor:
            def __init__(self, array: Any, shape: Any = None, kind: str = "", shared_memory: bool = True) -> None:
                if array.dtype == object:
                    raise TypeError("numpy's own strings only")
                self.array = array if shape is not None or shared_memory else array.copy()
                self.shape = list(array.shape)
                self.element_type = kind or ("string" if array.dtype.kind in "OU" else kinds.get(array.dtype.name, "other"))

            @property
            def data(self) -> Any:
                return self.array

            @property
            def str_data(self) -> Any:
                return self.array

        class Request:
            def __init__(self, made: Any) -> None:
                self.made = made
                self.given: dict[str, Any] = {}
                self.found: dict[str, Any] = {}

            def set_input_tensor(self, place: int, tensor: Any) -> None:
                self.given[kept[place][1]] = tensor

            def infer(self) -> None:
                """The stand-in reuses its result buffers, and invalidates the previous results and inputs."""
                fed = {name: t.array.view(ml_dtypes.bfloat16) if t.element_type == "bf16" else t.array
                       for name, t in self.given.items()}  # fmt: skip
                fed = {info.name: fed.get(info.name, FLOATS) for info in self.made.graph.input}
                for info, array in zip(self.made.graph.output, ReferenceEvaluator(self.made).run(None, fed), strict=True):
                    bits = array.dtype.name == "bfloat16"
                    plain = array.view(np.uint16) if bits else array.astype(str) if array.dtype == object else array.copy()
                    if info.name in self.found:
                        self.found[info.name].array[...] = 0
                    self.found[info.name] = Tensor(plain, array.shape, "bf16" if bits else "")
                for tensor in self.given.values():
                    if tensor.element_type == "f32":
                        tensor.array[...] = 0

            def get_tensor(self, name: str) -> Any:
                return self.found[name]

        class Core:
            def read_model(self, file: Any) -> Any:
                return onnx.ModelProto.FromString(file.read())

            def compile_model(self, made: Any, device: str, settings: Any) -> Any:
                if error:
                    raise RuntimeError(error)

                def port(name: str, kind: int) -> Any:
                    dtype = np.dtype(helper.tensor_dtype_to_np_dtype(kind)).name
                    node = SimpleNamespace(get_friendly_name=lambda: name)
                    return SimpleNamespace(get_node=lambda: node, element_type=kinds.get(dtype, "other"))

                of = {info.name: info.type.tensor_type.elem_type for info in (*made.graph.input, *made.graph.output)}
                ports = [port(name, of[own]) for name, own in kept]
                out = [port(info.name, of[info.name]) for info in made.graph.output]
                return SimpleNamespace(inputs=ports, outputs=out, create_infer_request=lambda: Request(made))

        module = ModuleType("openvino")
        module.__dict__.update(Core=Core, Type=types, Tensor=Tensor, Shape=list)
        return module

    def run_with(self, module: ModuleType, made: Any, *inputs: Any) -> list[Any]:
        with unittest.mock.patch.dict(sys.modules, openvino=module):
            return list(self.compiled(made, inputs, openvino=module)(*inputs))

    def test_errors(self) -> None:
        for said, kind, message in (
            ("x\nNo conversion rule found for operations: Det, If", NotImplementedError, "^OpenVINO does not convert Det$"),
            ("Check failed\n-- Pad-12 with a message:\nat x.cpp:7\nno such mode\n\nmore", RuntimeError, "^Pad: no such mode$"),
            ("out of luck", RuntimeError, "^out of luck$"),
        ):
            self.assert_fails(kind, message, ADD, [FLOATS, FLOATS], openvino=self.openvino(said))

    def test_unknown_rank_is_unsupported(self) -> None:
        """An operator on the result of a Squeeze without axes of a named dimension is unsupported, in any wording.
        With fixed dimensions it is an error."""
        said = "Check failed\n-- DepthToSpace-13 with a message:\nInput must be 4-dimensional\n\nmore"
        cases = ((["n", 1], "t1", NotImplementedError), ([2, 1], "t1", RuntimeError), (["n", 1], "t0", RuntimeError))
        for sizes, taken, kind in cases:
            made = model([("t0", TensorProto.FLOAT)], [("Squeeze", "t0", "t1"), ("DepthToSpace", taken, "t2")],
                         [("t2", TensorProto.FLOAT)])  # fmt: skip
            made.graph.input[0].CopyFrom(helper.make_tensor_value_info("t0", TensorProto.FLOAT, sizes))
            made.graph.node[1].attribute.append(helper.make_attribute("blocksize", 1))
            with self.subTest(sizes=sizes, taken=taken):
                self.assert_fails(kind, "DepthToSpace", made, [FLOATS], openvino=self.openvino(said))

    def test_consequential_errors(self) -> None:
        """The message names nodes by their operators; the first one decides whether it is a limit or an error."""
        nodes = [("Dropout", "t0", "t1"), ("DepthToSpace", "t1", "t2")]
        made = model([("t0", TensorProto.FLOAT)], nodes, [("t2", TensorProto.FLOAT)])
        made.graph.node[1].attribute.append(helper.make_attribute("blocksize", 1))
        unnamed, named = ["t1", "t2"], ["n0", "n1"]
        cases = (("Non-constant training_mode input is not supported.", True), ("Out of luck", False))
        for (cause, hears), (dropout, depth) in itertools.product(cases, (unnamed, named)):
            made.graph.node[0].name, made.graph.node[1].name = (dropout, depth) if dropout == "n0" else ("", "")
            said = ("Failed operations detailed log:\n-- DepthToSpace-22 with a message:\nWhile validating ONNX node "
                    f"'<Node(DepthToSpace): {depth}>': Check 'rank' failed:\nInput must be 4-dimensional\n\n"
                    f"-- Dropout-22 with a message:\nWhile validating ONNX node '<Node(Dropout): {dropout}>':\n"
                    f"{cause}\n\nSummary:\n-- Conversion is failed for: DepthToSpace-22, Dropout-22")  # fmt: skip
            with self.subTest(cause), self.assertRaisesRegex(RuntimeError, f"^Dropout: {cause}$") as caught:
                self.compiled(made, [FLOATS], openvino=self.openvino(said))
            self.assertEqual(targets.load(self.name).refuses(caught.exception), hears)

    def test_errors_that_misread_the_model(self) -> None:
        """A dtype or shape that the model does not have is an error of the compiler, although it reads like a limit."""
        said = ("Check failed\n-- MatMul-13 with a message:\nWhile validating node 'opset1::MatMul MatMul_6 "
                "(opset1::Parameter t0[0]:f32[2,2], opset1::Constant c[0]:f32[%s])':\n"
                "Scalars are not supported\n\nmore")  # fmt: skip
        for sizes, taken, message, hears in (
            ([2, 0], "", r"^MatMul: shape \[2, 0\] is treated as \[\]$", False),
            ([2, 0], "2,1", r"^MatMul: shape \[2, 0\] is treated as \[2, 1\]$", False),
            ([2, 0], "2,0", "^MatMul: Scalars are not supported$", True),
            ([2, 0], "?,0", "^MatMul: Scalars are not supported$", True),
            ([], "", "^MatMul: Scalars are not supported$", True),
        ):
            made = model([("t0", TensorProto.FLOAT)], [("MatMul", "t0 c", "t1")], [("t1", TensorProto.FLOAT)])
            made.graph.input[0].CopyFrom(helper.make_tensor_value_info("t0", TensorProto.FLOAT, [2, 2]))
            made.graph.initializer.add(name="c", data_type=TensorProto.FLOAT, dims=sizes, float_data=[1.0] * (not sizes))
            with self.subTest(sizes=sizes, taken=taken), self.assertRaisesRegex(RuntimeError, message) as caught:
                self.compiled(made, [FLOATS], openvino=self.openvino(said % taken))
            self.assertEqual(targets.load(self.name).refuses(caught.exception), hears)

    def test_unsupported_dtypes(self) -> None:
        """A dtype outside OpenVINO's list is unsupported, not an error."""
        target = targets.load(self.name)
        self.assertTrue(target.refuses(RuntimeError("DFT: FFT op input element type must be f32, f16, or bf16")))
        self.assertFalse(target.refuses(RuntimeError("BatchNormalization: Input element types do not match.")))

    def test_float64_is_unsupported(self) -> None:
        module = self.openvino(kept=[("t0", "t0")])
        self.assert_fails(NotImplementedError, "float64 in float32", identity(TensorProto.DOUBLE), [FLOATS], openvino=module)

    def test_removed_and_renamed_inputs(self) -> None:
        """Inputs are matched by name, in any order."""
        other = FLOATS * 10
        for kept in ([("t0", "t0"), ("t1", "t1")], [("t1", "t1"), ("t0", "t0")], [("t0", "t0"), ("new", "t1")],
                     [("new", "t0"), ("t1", "t1")], [("a", "t0"), ("b", "t1")]):  # fmt: skip
            with self.subTest(kept):
                (got,) = self.run_with(self.openvino(kept=kept), ADD, FLOATS, other)
                self.assertEqual(got.tolist(), (FLOATS - other).tolist())
        unused = model([("t0", 1), ("t1", 1)], [("Neg", "t1", "t2")], [("t2", 1)])
        (got,) = self.run_with(self.openvino(kept=[("t1", "t1")]), unused, other, FLOATS)
        self.assertEqual(got.tolist(), (-FLOATS).tolist())
        (got,) = self.run_with(self.openvino(kept=[("new", "t1")]), unused, other, FLOATS)
        self.assertEqual(got.tolist(), (-FLOATS).tolist())
        lost = self.openvino(kept=[("new", "t0")])
        self.assert_fails(NotImplementedError, "which inputs it dropped", ADD, [FLOATS, other], openvino=lost)

    def test_dtypes(self) -> None:
        """Dtypes unknown to numpy are passed as bits; others are unsupported. No memory is shared with the inputs."""
        module = self.openvino(kept=[("t0", "t0")])
        words = np.array(["a", "bc"], object)
        (got,) = self.run_with(module, identity(TensorProto.STRING), words)
        self.assertEqual((got.tolist(), got.dtype), (["a", "bc"], np.dtype(object)))
        halves = np.array([0.5, -3.0], ml_dtypes.bfloat16)
        (got,) = self.run_with(module, identity(TensorProto.BFLOAT16), halves)
        self.assertEqual((got.tolist(), got.dtype.name), ([0.5, -3.0], "bfloat16"))
        small = np.array([0.5, -3.0], ml_dtypes.float8_e5m2)
        with self.assertRaisesRegex(NotImplementedError, "cannot pass float8_e5m2 to OpenVINO"):
            self.run_with(module, identity(TensorProto.FLOAT8E5M2), small)
        given, found = FLOATS.copy(), []
        function = self.compiled(identity(TensorProto.FLOAT), [given], openvino=module)
        with unittest.mock.patch.dict(sys.modules, openvino=module):
            found = [function(given)[0] for _ in range(2)]
        self.assertEqual([array.tolist() for array in (given, *found)], [FLOATS.tolist()] * 3)


class Mnn(Converters):
    """MNN."""

    name = "mnn"

    def modules(self, converts: bool = True, loads: bool = True, computes: bool = True, packed: bool = False,
                warns: str = "", fails: str = "") -> dict[str, Any]:  # fmt: skip
        """The stand-ins for converter and package. `warns` and `fails`: output while converting, and instead of a
        result."""
        files: list[Any] = []

        class Var:
            def __init__(self, array: Any, packed: bool) -> None:
                self.array, self.shape = array, list(array.shape)
                self.data_format = "NC4HW4" if packed else "NCHW"

            def read(self) -> Any:
                if not self.array.size:
                    raise SystemError("<method 'read' of 'Var' objects> returned a result with an exception set")
                return (self.array[::-1] if self.data_format == "NC4HW4" else self.array) if computes else None

        def convert(args: list[str]) -> bool:
            with open(args[args.index("--modelFile") + 1], "rb") as file:
                files.append(onnx.ModelProto.FromString(file.read()))
            os.write(1, warns.encode())
            return converts

        def load(path: str, inputs: list[str], outputs: list[str], runtime_manager: Any) -> Any:
            if not loads:
                raise SystemError("load_module_from_file returned NULL")

            def forward(given: list[Any]) -> list[Any]:
                os.write(1, fails.encode())
                if fails:
                    return []
                arrays = [var.array.astype(np.float32) for var in given]
                fed = dict(zip(inputs, arrays, strict=True))
                made = {"Neg": lambda x: -x, "Identity": lambda x: x, "Not": lambda x: 1 - x}
                (node,) = files[-1].graph.node
                return [Var(made[node.op_type](fed[node.input[0]]), packed)]

            return SimpleNamespace(forward=forward)

        expr = SimpleNamespace(float="float", int="int", uint8="uint8", NCHW="NCHW", NC4HW4="NC4HW4")
        expr.const = lambda array, shape, layout, kind: Var(array, False)
        expr.convert = lambda var, layout: Var(var.array, layout == "NC4HW4")
        nn = SimpleNamespace(create_runtime_manager=lambda configs: None, load_module_from_file=load)
        package = ModuleType("MNN")
        package.__dict__.update(expr=expr, nn=nn)
        return {"_tools": SimpleNamespace(mnnconvert=convert), "MNN": package}

    def test_dtypes_are_restored(self) -> None:
        """MNN lacks int64 and bool: its results are cast to the dtypes that ONNX infers."""
        for kind, array, op, want in ((TensorProto.INT64, np.array([3, -4]), "Neg", [-3, 4]),
                                      (TensorProto.FLOAT, FLOATS, "Neg", [-1.0, -2.0]),
                                      (TensorProto.BOOL, np.array([True, False]), "Not", [False, True])):  # fmt: skip
            made = model([("t0", kind)], [(op, "t0", "t1")], [("t1", kind)])
            (got,) = self.compiled(made, [array], **self.modules())(array)
            self.assertEqual((got.tolist(), got.dtype), (want, array.dtype))

    def test_its_own_layout_is_undone(self) -> None:
        (got,) = self.compiled(identity(TensorProto.FLOAT), [FLOATS], **self.modules(packed=True))(FLOATS)
        self.assertEqual(got.tolist(), FLOATS.tolist())

    def test_empty_results(self) -> None:
        """MNN's binding cannot read empty results, which is no error."""
        nothing = np.zeros((2, 0), np.float32)
        (got,) = self.compiled(identity(TensorProto.FLOAT), [nothing], **self.modules())(nothing)
        self.assertEqual((got.shape, got.dtype), (nothing.shape, nothing.dtype))

    def test_errors(self) -> None:
        plain = identity(TensorProto.FLOAT)
        untyped = identity(TensorProto.FLOAT)
        untyped.graph.output[0].ClearField("type")
        untyped.graph.node[0].domain = "nobody"
        untyped.opset_import.append(helper.make_opsetid("nobody", 1))
        for message, made, array, modules in (
            ("no dtype for an output", untyped, FLOATS, self.modules()),
            ("cannot pass float64", identity(TensorProto.DOUBLE), FLOATS.astype(float), self.modules()),
        ):
            self.assert_fails(NotImplementedError, message, made, [array], **modules)
        self.assert_fails(RuntimeError, "fails to convert it", plain, [FLOATS], **self.modules(converts=False))
        self.assert_fails(RuntimeError, "fails to load", plain, [FLOATS], **self.modules(loads=False))
        lacks = "^MNN does not support this: "
        for code, said, message in (
            (2, "CpuBinary: unsupported data type\nCreate execution error : 7\n", f"{lacks}CpuBinary: unsupported data type$"),
            (2, "ReverseSequence info error\n", "^MNN returns nothing: code=2 in onForward, 666$"),
            (3, "Compute Shape Error for t1\n", "^MNN returns nothing: code=3 in onForward, 666$"),
        ):
            kind = NotImplementedError if message.startswith(lacks) else RuntimeError
            fails = f"{said}code={code} in onForward, 666 \n"
            function = self.compiled(plain, [FLOATS], **self.modules(fails=fails))
            with self.subTest(said), self.assertRaisesRegex(kind, message) as caught:
                function(FLOATS)
            self.assertIs(type(caught.exception), kind)
        said = "Create execution error : 7\ncode=2 in onForward, 666 \n"
        whole = (TensorProto.INT64, np.array([1]), NotImplementedError)
        for dtype, array, kind in ((TensorProto.FLOAT, FLOATS, RuntimeError), whole):
            function = self.compiled(identity(dtype), [array], **self.modules(fails=said))
            with self.assertRaisesRegex(kind, "^MNN returns nothing: code=2 in onForward, 666$") as caught:
                function(array)
            self.assertIs(type(caught.exception), kind)
        function = self.compiled(plain, [FLOATS], **self.modules(computes=False))
        self.assertRaisesRegex(NotImplementedError, "does not compute this output", function, FLOATS)
        function = self.compiled(identity(TensorProto.INT64), [np.array([1, 2])], **self.modules())
        self.assertRaisesRegex(NotImplementedError, "32-bit", function, np.array([1 << 40, 2]))


    def test_conversion_failures(self) -> None:
        """A missing operator is unsupported; a failing conversion of an existing operator is an error."""
        self.assertIn("refusal", [function.__name__ for function in targets.load(self.name).needs])
        begins, ends = "Start to Optimize the MNN Net...\n", ":220: These Op Not Support: "
        tried = "Convert Onnx's Op t1 , type = {}, failed, may be some node is not const\n"
        lacks, fails = "^MNN does not support this: ", "^MNN fails to convert "
        for said, message in (
            (f"{begins}{ends}ONNX::Mish | ONNX::IsNaN \n", f"{lacks}IsNaN$"),
            (f"{begins}[05:45:46] :41: MNN only support ['constant'] Pad mode\n{tried.format('Pad')}{ends}ONNX::Pad \n",
             f"{lacks}MNN only support .'constant'. Pad mode$"),
            (f"{begins}Can't solve GRU because bias is not const\n{tried.format('GRU')}{ends}ONNX::GRU \n",
             f"{lacks}Can't solve GRU because bias is not const$"),
            (f"{begins}{tried.format('LpPool')}{ends}ONNX::LpPool | ONNX::Mish \n", f"{lacks}Mish$"),
            ("[05:45:46] :38: MNN LSTM not support sequence_lens, the result may has error\nConverted Success!\n",
             f"{lacks}MNN LSTM not support seq.*error$"),
            ("[05:45:46] :50: Unsupported Resize mode , use bilinear instead\nConverted Success!\n",
             f"{lacks}Unsupported Resize mode , use bilinear instead$"),
            (f"{begins}{tried.format('LpPool')}{ends}ONNX::LpPool \n", f"{fails}LpPool: no message$"),
            (f"{begins}The model has random OP: t1, can't check result with onnxruntime\n{tried.format('RandomNormalLike')}",
             f"{fails}RandomNormalLike: no message$"),
            (f"{begins}Don't GRU for W's shape not valid\n{tried.format('GRU')}{ends}ONNX::GRU \n",
             f"{fails}GRU: Don't GRU for W's shape not valid$"),
        ):  # fmt: skip
            kind = NotImplementedError if message.startswith(lacks) else RuntimeError
            with self.subTest(said):
                self.assert_fails(kind, message, identity(TensorProto.FLOAT), [FLOATS], **self.modules(warns=said))


class Tract(Converters):
    """tract."""

    name = "tract"

    def tract(self, error: str = "") -> ModuleType:
        module = ModuleType("tract")

        class TractError(Exception):
            pass

        class Loaded:
            def load(self, path: str) -> Any:
                with open(path, "rb") as file:
                    made = onnx.ModelProto.FromString(file.read())

                def run(inputs: list[Any]) -> list[Any]:
                    found = ReferenceEvaluator(made).run(None, dict(zip(["t0", "t1"], inputs, strict=True)))
                    return [SimpleNamespace(to_numpy=lambda array=array: array) for array in found]

                def into_model() -> Any:
                    if error:
                        raise TractError(error)
                    return SimpleNamespace(into_runnable=lambda: SimpleNamespace(run=run))

                return SimpleNamespace(into_model=into_model)

        module.__dict__.update(onnx=Loaded, TractError=TractError)
        return module

    def test_runs(self) -> None:
        (got,) = self.compiled(ADD, [FLOATS, FLOATS], tract=self.tract())(FLOATS, FLOATS * 3)
        self.assertEqual(got.tolist(), (FLOATS * -2).tolist())

    def test_errors(self) -> None:
        """A missing implementation is recognized by the operator's name, an error by its cause and tract's exception
        type. A short script raises the same type; one that raises another does not show the finding."""
        trace = "\n\nStack backtrace:\n   0: <const::Const>::not supported"
        for said, cause, lacks in (
            ('Translating node #3 "n0" Det ToTypedTranslator', "Operator can not be made a TypedOp.", "Det"),
            ('Translating node #3 "n0" BatchNorm ToTypedTranslator', "Params are not const", "BatchNorm"),
            ('Translating node #3 "n0" OneHot ToTypedTranslator', "Expected dim and value to be determined, got 1", "OneHot"),
            ('Failed analyse for node #2 "n0" Unimplemented(Unique)', "Wrong number of outputs.", "Unimplemented(Unique)"),
            ("Building node n0 (Attention)", "softcap is not supported", "Attention"),
            ('Translating node #3 "n0" If ToTypedTranslator', "unimpl::UnimplementedOp has neither eval nor state", "If"),
            ('Failed analyse for node #2 "n0" QLinearMatMul', "2: Impossible to unify F16 with F32.", "QLinearMatMul"),
            ('Translating node #3 "y" MatMulInference ToTypedTranslator', "Condition failed: `a_rank > 1 || b_rank > 1`", ""),
            ('Failed analyse for node #2 "y" EinSum', "2: Impossible to unify Val(5) with Val(1).", ""),
            ("Building node  (RandomNormalLike)", "Node  (RandomNormalLike): expected attribute 'shape'", ""),
        ):
            whole = self.tract(f"{said}\n\nCaused by:\n    {cause}{trace}")
            message = re.escape(lacks) if lacks else rf"\w+: {re.escape(cause.removeprefix('2: '))}"
            kind, verb = (NotImplementedError, "does not") if lacks else (whole.TractError, "fails to")
            with self.subTest(said):
                self.assert_fails(kind, f"^tract {verb} read {message}$", ADD, [FLOATS, FLOATS], tract=whole)
        error = RuntimeError("tract fails to read Slice: Impossible to unify Val(5) with Sym(d)")
        target = targets.load(self.name)
        self.assertEqual(target.approximates, {"gelu"})
        self.assertEqual([target.refuses(error), target.refuses_dynamic(error)], [False, True])
        self.assert_fails(Exception, "^index out of range$", ADD, [FLOATS, FLOATS], tract=self.tract("index out of range"))
        for array in (np.array(["a"], object), np.array([1, 2], ml_dtypes.bfloat16)):
            self.assert_fails(NotImplementedError, "no numpy arrays", ADD, [array], tract=self.tract())


def load_tests(loader: unittest.TestLoader, tests: unittest.TestSuite, pattern: str | None) -> unittest.TestSuite:
    """The tests of the compilers."""
    suite = unittest.TestSuite()
    for case in (OpenVino, Mnn, Tract):
        suite.addTests(loader.loadTestsFromTestCase(case))
    return suite


if __name__ == "__main__":
    unittest.main()
