"""ONNX: the reference is onnxruntime without optimisation, and onnx's reference evaluator if that has no kernel.

All calls that follow one another and have an operator set in common are one model with one session, every tensor of it
an output; when it fails, its calls run one by one. As when records are collected, onnx's own inference must accept the
call, too, and not contradict the result.
"""

from __future__ import annotations

import contextlib
import functools
import math
import platform
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import onnx
import onnx.reference.ops._op_list  # imported here, so that not every child imports it
import onnxruntime
from onnx import helper
from onnx.reference import ReferenceEvaluator
from onnx.reference.ops import load_op

from rulefuzz import arrays, own, sandbox
from rulefuzz.bodies import onnx as onnx_bodies
from rulefuzz.elements import elements, seed_of
from rulefuzz.framework import Framework, Rejected, Script, Seen, Short
from rulefuzz.frameworks import onnx_evaluate as evaluate
from rulefuzz.frameworks.onnx_arrays import KEEPERS, array_from, array_of, numpy_type, proto_of, type_of, value_of
from rulefuzz.frameworks.own import onnx as onnx_own
from rulefuzz.frameworks.short import onnx as onnx_short
from rulefuzz.model import (
    BadModel,
    Const,
    Elements,
    Failed,
    Interpreter,
    Json,
    Mismatch,
    Model,
    Node,
    Raised,
    Ref,
    Tensor,
    Values,
    at_work,
)
from rulefuzz.oracle import compare, tolerance
from rulefuzz.oracle.excuses import unspecified
from rulefuzz.script import spell

LONGEST = 300
"""Maximum number of nodes per session."""
EVALUATOR = 5.0
"""Seconds of processor time for a model in onnx's reference evaluator, whose loops in Python can take minutes."""
SECONDED = 4096
"""Maximum number of elements of a call that is compared with the evaluator, whose loops in Python take seconds for more."""
KEPT = 64
"""Maximum number of sessions kept for calls that are run many times."""
NODE_NAME = re.compile(r"node with name 'n(\d+)'")
WIDER = {"float16": "float64", "bfloat16": "float64", "float32": "float64", "complex64": "complex128"}
FOUR_BITS = {"int4": "int8", "uint4": "uint8"}
"""The 4-bit integer types, and the corresponding 8-bit types."""
STAGE = "stash_type"
"""The attribute with the dtype of the first part of a computation."""
NAMES_DTYPE = ("to", "dtype", "output_dtype")
"""Attributes that name an element type."""
IMPORTS = """import base64
import contextlib
import ctypes

import onnx
import onnxruntime
from onnx import helper
"""


# ---- copied into scripts, as are the functions of onnx_arrays

OWN: list[Any] = []
"""Classes of user-defined operators, which scripts name."""


def make_input(shape: Any, dtype: Any, seed: Any, kind: Any = "small", span: Any = None) -> Any:
    """An array of these elements."""
    array = elements(shape, dtype, seed, kind, span)
    names = {"float32": "FLOAT", "float64": "DOUBLE"}
    element_type = getattr(onnx.TensorProto, names.get(dtype, dtype.upper()))
    return array if dtype == "string" else array.astype(numpy_type(element_type))


def seen(tensor: Any) -> Any:
    """A result as it is compared: layout, shape, dtype, and elements in the widest type of their kind."""
    if not isinstance(tensor, (np.ndarray, onnxruntime.OrtValue)):
        return type(tensor).__name__, (), "", None
    array = array_of(tensor)
    name = "string" if array.dtype.kind in "OUS" else array.dtype.name
    wide = np.complex128 if "complex" in name else np.float64 if "float" in name else array.dtype
    wide = name.replace("4", "8") if name in ("int4", "uint4") else wide
    return "", array.shape, name, array.astype(wide)


def fresh(inputs: Any) -> Any:
    """Copies of the inputs."""
    return [array.copy() for array in inputs]


def in_set(model: Any, version: int) -> Any:
    """The model in another operator set, with other kernels."""
    other = onnx.ModelProto.FromString(model.SerializeToString())
    next(operators for operators in other.opset_import if not operators.domain).version = version
    return other


def reference(model: Any, inputs: Any) -> Any:
    """The results of onnxruntime without optimization. It may overwrite its inputs."""
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    session = onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])
    fed = dict(zip([info.name for info in model.graph.input], fresh(inputs)))
    if any(array.dtype == object for array in inputs):
        return session.run(None, fed)
    kinds = {info.name: info.type.tensor_type.elem_type for info in model.graph.input}
    fed = {name: value_of(array, kinds[name]) for name, array in fed.items()}
    return session.run_with_ort_values([info.name for info in model.graph.output], fed)


def by_newest(model: Any, inputs: Any) -> Any:
    """Its results for the newest operator set that can express the model."""
    return unoptimised(in_set(model, NEWEST), inputs)


unoptimised, NEWEST = reference, evaluate.OPSET
BY_NEWEST = ("unoptimised, reference = reference, by_newest",)
"""The start of a script whose reference does so; names the operator set."""


def by_evaluator(model: Any, inputs: Any) -> Any:
    """The results of onnx's reference evaluator, if onnxruntime has no kernel."""
    return ReferenceEvaluator(model, new_ops=OWN).run(None, dict(zip([info.name for info in model.graph.input], fresh(inputs))))


def by_calls(model: Any, inputs: Any) -> Any:
    """The results of the calls one by one, without functions and subgraphs, by onnxruntime if it has a kernel."""
    values = dict(zip([info.name for info in PLAIN.graph.input], fresh(inputs)))
    values.update((tensor.name, array_from(tensor)) for tensor in PLAIN.graph.initializer)
    for node in PLAIN.graph.node:
        taken, made = list(dict.fromkeys(name for name in node.input if name)), [name for name in node.output if name]
        kinds = [type_of(values[name].dtype) for name in taken]
        infos = [helper.make_tensor_value_info(name, kind, values[name].shape) for name, kind in zip(taken, kinds)]
        call = onnx.ModelProto.FromString(PLAIN.SerializeToString())
        call.graph.CopyFrom(onnx.GraphProto(name="g", node=[node], input=infos))
        call.graph.output.extend(onnx.ValueInfoProto(name=name) for name in made)
        run = by_evaluator if node.name in WITHOUT_KERNEL else unoptimised
        results = run(call, [values[name] for name in taken])
        values.update((name, np.asarray(array_of(tensor))) for name, tensor in zip(made, results))
    return [values[info.name] for info in PLAIN.graph.output]


PLAIN: Any = None
"""The model whose calls a script runs one by one."""
WITHOUT_KERNEL: list[str] = []
"""The calls that onnx's evaluator runs."""
BY_CALLS = ("unoptimised, reference = reference, by_calls",)
"""The start of a script whose reference does so."""


# ---- the adapter


class Operator:
    """An API: its schema and the operator sets in which it is valid."""

    def __init__(self, api: str, schemas: dict[str, list[Any]]) -> None:
        self.own = onnx_own.find(api)
        """The same as `schema`, for a user-defined operator."""
        self.schema: Any
        self.schema, self.newest = (self.own, self.own.newest) if self.own else evaluate.schema_and_opset(api, schemas)
        self._schemas = schemas
        self.beyond = self.own is not None or self.newest > evaluate.OPSET
        """Whether onnxruntime does not support the operator, or its operator set yet."""
        self.alone = self.own is None and self.schema.domain == "com.microsoft"
        """Whether only onnxruntime has the operator: onnx's evaluator cannot run it."""

    def newest_of(self, node: Node) -> int:
        """The newest operator set in which the reference runs a call."""
        return evaluate.OPSET if node.renewed else self.newest

    @functools.cached_property
    def evaluated(self) -> bool:
        """Whether onnx's evaluator implements exactly this version. For most operators it only implements the newest
        definition."""
        try:
            found = load_op("", self.schema.name, self.schema.since_version)
        except Exception:
            return False
        return str(found.__name__) == f"{self.schema.name}_{self.schema.since_version}"

    @functools.cached_property
    def alike(self) -> list[Any]:
        return [self.schema] if self.own else evaluate.alike(self.schema, self._schemas)


Kernel = tuple[str, tuple[str, ...]]
"""An API and the dtypes of its inputs."""


@dataclass
class Prepared:
    """Calls prepared for tensors of given shapes and dtypes."""

    nodes: Sequence[Node]
    taken: dict[int, str]
    """The tensors that they use, and their dtypes."""
    model: Any
    serialised: bytes
    session: Any = None
    """Made on first use."""

    @functools.cached_property
    def inferred(self) -> list[tuple[list[int | None] | None, str]]:
        """The inferred shape and dtype of each result."""
        return evaluate.inferred_outputs(evaluate.infer(self.serialised))

    @functools.cached_property
    def names(self) -> list[str]:
        """The names of its results."""
        return [output.name for output in self.model.graph.output]

    @functools.cached_property
    def first(self) -> Kernel:
        """The kernel of the first call."""
        return self.nodes[0].api, tuple(self.taken.get(ref, "") for ref in self.nodes[0].refs())


class Onnx(Framework):
    """See Framework."""

    name = "onnx"
    reference = "onnxruntime"
    repeats = True
    means_of_nothing = False
    by_name = True
    unsupported = (*Framework.unsupported, "could not find an implementation", "can't be converted to mldatatype",
                   "not_implemented", "is not currently registered or supported")  # fmt: skip
    memory = (*Framework.memory, *evaluate.OUT_OF_MEMORY)
    own_paths = ("/onnxruntime/", "/onnx/")

    def __init__(self) -> None:
        super().__init__()
        onnx_own.check()
        self._schemas = evaluate.history()
        self._without: set[Kernel] = set()
        """Calls without a kernel in onnxruntime."""
        self._oldests: dict[tuple[str, tuple[str, ...], tuple[str, ...]], int] = {}
        """See _oldest."""
        self._notes: Counter[str] = Counter()
        self._options: Any = None
        self._kept: dict[tuple[Any, ...], Prepared] = {}
        """Keyed by a node's identity and the shapes and dtypes of its operands."""

    # ---- names

    def resolve(self, api: str) -> Any:
        try:
            return Operator(api, self._schemas)
        except (KeyError, ValueError, StopIteration):
            raise BadModel(f"onnx {onnx.__version__} has no {api}") from None

    def has_dtype(self, name: str) -> bool:
        try:
            evaluate.element_type(name)
        except AttributeError:
            return False
        return True

    def operation(self, api: str) -> str:
        return super().operation(api) if api in own.functions() else evaluate.split_name(api)[0].rpartition(".")[2].lower()

    # ---- life

    def versions(self) -> dict[str, str]:
        return {"python": platform.python_version(), "onnx": onnx.__version__, "onnxruntime": onnxruntime.__version__,
                "opset": str(evaluate.OPSET)}  # fmt: skip

    def enter(self) -> None:
        np.seterr(all="ignore")
        self._options = evaluate.session_options()
        onnxruntime.set_default_logger_severity(4)

    def reseed(self, seed: int) -> None:
        onnxruntime.set_seed(seed)
        np.random.seed(seed)

    def notes(self) -> dict[str, int]:
        found, self._notes = dict(self._notes), Counter()
        return found

    # ---- tensors

    def tensor(self, array: Any, dtype: str) -> Any:
        return array.astype(_numpy(dtype))

    def elements(self, items: Any, dtype: str) -> Any:
        return np.array(items, _numpy(dtype))

    def copy(self, tensor: Any) -> Any:
        """See Framework. No call of ONNX writes to its inputs, but onnxruntime may."""
        return array_of(tensor).copy()

    def is_tensor(self, value: Any) -> bool:
        return isinstance(value, (np.ndarray, onnxruntime.OrtValue))

    # ---- building

    def _node(self, number: int, node: Node, constants: list[Any]) -> Any:
        schema = node.function.schema
        made = onnx.NodeProto(op_type=schema.name, name=f"n{number}")
        for arg in node.args:
            if arg.positional:
                for item in arg.value if isinstance(arg.value, list) else [arg.value]:
                    made.input.append(self._input(item, constants))
            elif arg.name == evaluate.OUTPUTS:
                continue
            elif arg.name in schema.attributes:
                kind = schema.attributes[arg.name].type
                value = _number(arg.value)
                made.attribute.append(evaluate.attribute(arg.name, kind or onnx_own.kind_of(value), value))
            else:
                raise Rejected(f"onnx: no attribute {arg.name}")
        made.output.extend(f"t{out.id}" for out in node.outputs)
        onnx_own.complete(made, schema)
        return made

    def _input(self, item: Any, constants: list[Any]) -> str:
        if isinstance(item, Ref):
            return f"t{item.id}"
        if not isinstance(item, Elements):
            return ""
        name = f"c{len(constants)}"
        constants.append(proto_of(np.array(_number(item.value), _numpy(item.dtype)), name))
        return name

    def _model(self, nodes: Sequence[Node], inputs: Mapping[int, tuple[tuple[int | str, ...], str]], outputs: Sequence[int],
               opset: int = 0, *, of_targets: bool = False) -> Any:  # fmt: skip
        """The model of some nodes, with inputs of these shapes and dtypes, in the newest operator set by default."""
        constants: list[Any] = []
        graph = onnx.GraphProto(name="g", node=[self._node(i, node, constants) for i, node in enumerate(nodes)])
        graph.initializer.extend(constants)
        for i, (shape, dtype) in inputs.items():
            graph.input.append(helper.make_tensor_value_info(f"t{i}", evaluate.element_type(dtype), shape))
        graph.output.extend(onnx.ValueInfoProto(name=f"t{i}") for i in outputs)
        opset = opset or min((node.function.newest_of(node) for node in nodes), default=evaluate.OPSET)
        version = evaluate.IR_VERSION if opset <= evaluate.OPSET else 13
        schemas = [node.function.schema for node in nodes]
        return onnx.ModelProto(ir_version=version, graph=graph, opset_import=onnx_own.opsets(schemas, opset),
                               functions=onnx_own.functions(schemas, of_targets=of_targets))  # fmt: skip

    # ---- running

    def span(self, nodes: Sequence[Node], start: int, dtypes: dict[int, str]) -> int:
        oldest, newest = 0, evaluate.OPSET
        for i, node in enumerate(nodes[start : start + LONGEST]):
            operator = node.function
            oldest, newest = max(oldest, self._oldest(node, dtypes)), min(newest, operator.newest_of(node))
            kernel = (node.api, tuple(dtypes[ref] for ref in node.refs()))
            if operator.beyond or oldest > newest or kernel in self._without:
                return max(i, 1)
            if operator.alone:  # onnx infers no types for its results, and some of its functions crash without one
                return i + 1
        return min(len(nodes) - start, LONGEST)

    def run(self, nodes: Sequence[Node], values: Values) -> list[Any]:
        call = self._prepared(nodes, values)
        found = self._found(call, values)
        for (dims, _), tensor in zip(call.inferred, found, strict=True):
            if evaluate.contradicts(dims, self.describe(tensor)[0]):
                raise Mismatch("shape", f"shape {list(self.describe(tensor)[0])}, but onnx infers {dims}")
        return self._by_node(call, found)

    def run_again(self, node: Node, values: Values) -> Any:
        """See model.Runner. Inferred shapes are not compared again."""
        call = self._prepared([node], values)
        return self._by_node(call, self._found(call, values))[0]

    def _prepared(self, nodes: Sequence[Node], values: Values, keep: bool = True) -> Prepared:
        """The calls with their session, which is kept for other runs, unless it would continue a random call's sequence."""
        made = {out.id for node in nodes for out in node.outputs}
        taken = list(dict.fromkeys(ref for node in nodes for ref in node.refs() if ref not in made))
        described = {ref: self.describe(values[ref]) for ref in taken}
        key = (*map(id, nodes), *described.items())
        call = self._kept.get(key)
        if call is None or any(one is not other for one, other in zip(call.nodes, nodes, strict=True)):
            model = self._model(nodes, described, [o.id for n in nodes for o in n.outputs])
            dtypes = {ref: dtype for ref, (_, dtype) in described.items()}
            call = Prepared(nodes, dtypes, model, model.SerializeToString())
            if not keep or any("seed" in node.function.schema.attributes for node in nodes):
                return call
            if len(self._kept) >= KEPT:
                self._kept.clear()
            self._kept[key] = call
        return call

    @staticmethod
    def _by_node(call: Prepared, found: Sequence[Any]) -> list[Any]:
        left = iter(found)
        return [[next(left) for _ in node.outputs] for node in call.nodes]

    def _found(self, call: Prepared, values: Values) -> list[Any]:
        nodes, first = call.nodes, call.first
        if len(nodes) > 1 or nodes[0].function.alone or (first not in self._without and not nodes[0].function.beyond):
            try:
                return self._by_runtime(call, values)
            except evaluate.NoKernel as error:
                self._remember(nodes, first, values, str(error))
                if len(nodes) > 1 or nodes[0].function.alone:
                    raise
        eight = self._in_eight_bits(nodes[0], values) if len(nodes) == 1 else None
        if eight is not None:
            return eight
        self._notes[f"{nodes[0].api} by reference"] += 1
        return self._by_reference(nodes, call.model, list(call.taken), call.names, values)

    def _remember(self, nodes: Sequence[Node], first: Kernel, values: Values, message: str) -> None:
        """Records a node without a kernel, so that the reference evaluator runs it from now on."""
        match = NODE_NAME.search(message)
        if len(nodes) == 1:
            self._without.add(first)
        elif match:
            dtypes = {out.id: out.dtype for node in nodes for out in node.outputs}
            node = nodes[int(match[1])]
            refs = tuple(dtypes.get(r) or self.describe(values[r])[1] for r in node.refs())
            self._without.add((node.api, refs))

    def _by_runtime(self, call: Prepared, values: Values) -> list[Any]:
        try:
            if call.session is None:
                call.session = onnxruntime.InferenceSession(call.serialised, self._options, providers=["CPUExecutionProvider"])
            if "string" in call.taken.values():
                return list(call.session.run(call.names, {f"t{ref}": array_of(values[ref]) for ref in call.taken}))
            fed = {}
            for ref in call.taken:
                if isinstance(values[ref], np.ndarray):
                    values[ref] = evaluate.ort_value(values[ref], call.taken[ref])
                fed[f"t{ref}"] = values[ref]
            return list(call.session.run_with_ort_values(call.names, fed))
        except Exception as error:
            raise evaluate.refusal(error) from error

    def _in_eight_bits(self, node: Node, values: Values) -> list[Any] | None:
        """The results of a call that has no kernel for 4-bit integers, computed with 8 bits. None if it fails, or if a result
        has 4 bits and the type of no 4-bit operand: then it may saturate or wrap."""
        narrow = {ref: self.describe(values[ref])[1] for ref in node.refs()}
        narrow = {ref: dtype for ref, dtype in narrow.items() if dtype in FOUR_BITS}
        if not narrow or node.function.own:
            return None
        kinds = [formal.type_str for formal in node.function.schema.inputs]
        operands = [arg.value for arg in node.args if arg.positional]
        places = [i for i, value in enumerate(operands) if isinstance(value, Ref) and value.id in narrow]
        taken = {kinds[min(i, len(kinds) - 1)] for i in places}
        made = [formal.type_str for formal in node.function.schema.outputs]
        known = all(out.dtype not in FOUR_BITS or made[min(i, len(made) - 1)] in taken for i, out in enumerate(node.outputs))
        if not known:
            return None
        wide = values | {ref: array_of(values[ref]).astype(_numpy(FOUR_BITS[dtype])) for ref, dtype in narrow.items()}
        outputs = tuple(replace(out, dtype=FOUR_BITS.get(out.dtype, out.dtype)) for out in node.outputs)
        with contextlib.suppress(Raised):
            found = at_work(self.run, [replace(node, outputs=outputs)], wide)[0]
            return [array_of(t).astype(_numpy(out.dtype)) if out.dtype in FOUR_BITS else t
                    for t, out in zip(found, node.outputs, strict=True)]  # fmt: skip
        return None

    def _by_reference(self, nodes: Sequence[Node], model: Any, taken: list[int], names: list[str], values: Values) -> list[Any]:
        classes = onnx_own.classes(node.function.schema for node in nodes)
        fed = {f"t{ref}": array_of(values[ref]).copy() for ref in taken}
        with sandbox.limited(EVALUATOR):
            found = ReferenceEvaluator(model, new_ops=classes).run(names, fed)
        return [np.asarray(array) for array in found]

    # ---- looking

    def describe(self, tensor: Any) -> tuple[tuple[int, ...], str]:
        if isinstance(tensor, np.ndarray):
            return tensor.shape, _dtype_name(tensor.dtype)
        return tuple(tensor.shape()), _type_name(tensor.data_type())

    def finite(self, tensor: Any) -> bool:
        dtype = self.describe(tensor)[1]
        return bool(np.isfinite(array_of(tensor)).all()) if arrays.is_float(dtype) else True

    def extent(self, tensor: Any) -> tuple[bool, Any, Any]:
        return (True, None, None) if self.describe(tensor)[1] == "string" else arrays.extent(array_of(tensor))

    # ---- the oracle's

    def seen(self, tensor: Any) -> Seen:
        return seen(tensor)  # type: ignore[no-any-return]

    def shaker(self, seed: int, lean: float = 0.0) -> Callable[[Any], Any]:
        shake = arrays.shaker(seed, lean)
        return lambda tensor: shake(array_of(tensor), self.describe(tensor)[1])

    def widened(self, tensor: Any) -> Any:
        dtype = self.describe(tensor)[1]
        return array_of(tensor).astype(_numpy(WIDER[dtype])) if dtype in WIDER else tensor

    def stage(self, node: Node) -> str:
        """See Framework. The attribute stash_type; float32 by default or if it is not a float type (0)."""
        if STAGE not in node.function.schema.attributes:
            return ""
        told = next((_number(arg.value) for arg in node.args if arg.name == STAGE), onnx.TensorProto.FLOAT)
        name = evaluate.dtype_of_element_type(told)
        return name if "float" in name else "float32"

    def casts(self, node: Node) -> bool:
        casts = unspecified.has("cast", self.operation(node.api))
        return casts and not node.function.own and isinstance(node.args[0].value, Ref)

    def in_floats(self, node: Node, values: Values) -> list[Any] | None:
        """See Framework. Widens operands that have the type of a result; the types of user-defined operators are unknown."""
        if node.random or node.function.own:
            return None
        kinds = [formal.type_str for formal in node.function.schema.inputs]
        made = {formal.type_str for formal in node.function.schema.outputs}
        operands = [arg for arg in node.args if arg.positional]
        wide, args = dict(values), []
        for place, arg in enumerate(operands):
            items = arg.value if isinstance(arg.value, list) else [arg.value]
            if kinds and kinds[min(place, len(kinds) - 1)] in made:
                wide |= {i.id: array_of(values[i.id]).astype(np.float64) for i in items if isinstance(i, Ref)}
                items = [Elements(i.value, "float64") if isinstance(i, Elements) else i for i in items]
            args.append(replace(arg, value=items if isinstance(arg.value, list) else items[0]))
        if not args:
            return None
        others = tuple(arg for arg in node.args if not arg.positional)
        outputs = tuple(replace(out, dtype="float64") for out in node.outputs)
        call = [replace(node, args=(*args, *others), outputs=outputs)]
        try:
            return list(at_work(lambda: self._found(self._prepared(call, wide, keep=False), wide)))
        except Raised:  # an integer-only call
            return None

    def widened_constant(self, name: str, value: Any) -> Any:
        number = value.value if isinstance(value, Const) else value
        if name not in NAMES_DTYPE or not isinstance(number, int) or number not in onnx.TensorProto.DataType.values():
            return value
        wider = WIDER.get(evaluate.dtype_of_element_type(number))
        return evaluate.element_type(wider) if wider else value

    def narrowed(self, tensor: Any, dtype: str) -> Any:
        return array_of(tensor).astype(_numpy(dtype))

    def second(self, node: Node, values: Values) -> list[Any] | None:
        """See Framework. onnx's reference evaluator, if onnxruntime was the first."""
        with contextlib.suppress(Raised):
            return self._by_second(node, values)
        return None

    def renewed(self, model: Model, values: Values) -> Model:
        """See Framework. A kernel of an older version is wrong if the evaluator, which implements it, and the kernel of
        the newest version agree on another result."""
        nodes = tuple(replace(node, renewed=True) if self._is_outdated(node, values) else node for node in model.nodes)
        return replace(model, nodes=nodes) if any(node.renewed for node in nodes) else model

    def _is_outdated(self, node: Node, values: Values) -> bool:
        operator = node.function
        if operator.own or operator.newest >= evaluate.OPSET or node.random or not operator.evaluated:
            return False
        if sum(math.prod(self.describe(values[i])[0]) for i in (*node.refs(), *(out.id for out in node.outputs))) > SECONDED:
            return False
        others = self.second(node, values)
        if others is None or self._agree(others, [values[out.id] for out in node.outputs]):
            return False
        try:
            return self._agree(others, at_work(self.run, [replace(node, renewed=True)], values)[0])
        except Raised:  # the newest version has other inputs or attributes
            return False

    def _agree(self, one: Sequence[Any], other: Sequence[Any]) -> bool:
        pairs = [(self.seen(a), self.seen(b)) for a, b in zip(one, other, strict=True)]
        return not any(compare.difference(a, b, *tolerance.bounds("neuri", b[2])) for a, b in pairs)

    def second_refuses(self, node: Node, values: Values, zeros: bool = False) -> bool:
        """See Framework. True if the evaluator divides by 0. Its other exceptions are mostly limits of its own: it rejects 293
        of 6,260 calls that onnxruntime accepts, most of them valid."""
        try:
            with np.errstate(divide="raise" if zeros else "ignore"):
                self._by_second(node, values)
        except Raised as raised:
            return isinstance(raised.error, ArithmeticError)
        return False

    def _by_second(self, node: Node, values: Values) -> list[Any] | None:
        taken = list(dict.fromkeys(node.refs()))
        described = {ref: self.describe(values[ref]) for ref in taken}
        kernel = (node.api, tuple(described[ref][1] for ref in node.refs()))
        if node.function.beyond or node.function.alone or kernel in self._without:
            return None
        model = at_work(self._model, [node], described, [out.id for out in node.outputs])
        return at_work(self._by_reference, [node], model, taken, [output.name for output in model.graph.output], values)

    # ---- targets

    def subject(self, model: Model, results: Sequence[Any], outputs: Sequence[int]) -> Any:
        """See Framework. One ONNX model in its operator set, by default in the oldest that can express it, since targets lag
        behind. Raises Raised if the calls share no operator set."""
        dtypes = {i: t.dtype for i, t in model.tensors().items()}
        least = onnx_bodies.OPSET if model.bodies else evaluate.FIRST_OPSET
        oldest = max((least, *(self._oldest(node, dtypes) for node in model.nodes)) if model.nodes else (evaluate.OPSET,))
        opset = model.opset or oldest
        if not oldest <= opset <= min((node.function.newest for node in model.nodes), default=opset) or opset > evaluate.OPSET:
            raise Raised(NotImplementedError("no operator set version supports all calls"))
        made = self._model(model.nodes, {t.id: (_named(t), t.dtype) for t in model.fed}, outputs,
                           model.opset or (0 if model.probe else oldest), of_targets=True)  # fmt: skip
        for i, array in self.constants(model).items():
            made.graph.initializer.append(proto_of(array, f"t{i}"))
        made = onnx_bodies.folded(model, made)
        return evaluate.in_format_of(made, model.opset) if model.opset else made

    def _oldest(self, node: Node, dtypes: dict[int, str]) -> int:
        taken = []
        for arg in node.args:
            if arg.positional:
                for item in arg.value if isinstance(arg.value, list) else [arg.value]:
                    taken.append(dtypes[item.id] if isinstance(item, Ref) else getattr(item, "dtype", ""))
        made = [out.dtype for out in node.outputs]
        key = node.api, tuple(taken), tuple(made)
        if key not in self._oldests:
            self._oldests[key] = max(evaluate.FIRST_OPSET, evaluate.oldest_opset(node.function.alike, taken, made))
        return self._oldests[key]

    def warm_up(self) -> Json:

        def tensor(i: int) -> Json:
            return {"id": i, "shape": [2, 3], "dtype": "float32"}

        def taking(*refs: int) -> Json:
            return [{"name": "X", "pos": True, "value": {"ref": ref}} for ref in refs]

        nodes = [
            {"api": "onnx.Add", "args": taking(0, 0), "outputs": [tensor(1)]},
            {"api": "onnx.Relu", "args": taking(1), "outputs": [tensor(2)]},
        ]
        return {"inputs": [tensor(0)], "nodes": nodes, "outputs": [2]}

    def script(self, model: Model, results: Sequence[Any]) -> Script:
        inputs = []
        for t in model.fed:
            filled = [repr(part) for part in (t.shape, t.dtype, seed_of(model.values, t.id), t.kind or "small", t.span)]
            inputs.append(f"make_input({', '.join(filled)})")
        made = self.subject(model, results, model.outputs)
        text = "\n".join(f"# {line}" for line in onnx.printer.to_text(made).splitlines())
        text += "\n" + onnx_short.coded("model", made)
        copied: tuple[Callable[..., Any], ...] = (numpy_type, *KEEPERS, value_of, array_of, make_input, seen, fresh, reference)
        newest = self._newest(model, made, self.inputs(model))
        if newest is not None:
            if not newest:
                return Script(IMPORTS, text, copied, tuple(inputs), needs_elements=True)
            text += f"\nNEWEST = {newest}"
            return Script(IMPORTS, text, (*copied, in_set, by_newest), tuple(inputs), needs_elements=True, start=BY_NEWEST)
        copied = (*copied, type_of, array_from, by_evaluator, by_calls)
        classes = _classes(model)
        imports = "".join(f"{line}\n" for line in ("from onnx.reference import ReferenceEvaluator", *own.imports(classes)))
        lacking = [f"n{i}" for i, kernel in enumerate(self._kernels(model)) if kernel is None]
        plain = self._in_newest(model, self.subject(replace(model, bodies=()), results, model.outputs))
        text += f"\n{onnx_short.coded('PLAIN', plain)}\nWITHOUT_KERNEL = {lacking!r}\nOWN = [{', '.join(classes)}]"
        return Script(IMPORTS + imports, text, copied, tuple(inputs), needs_elements=True,
                      start=BY_CALLS)  # fmt: skip

    def short(self, model: Model, results: Sequence[Any], said: dict[int, str], compared: str, limits: tuple[float, float],
              writes: bool) -> Short:  # fmt: skip
        made, known = self.subject(model, results, model.outputs), model.tensors()
        given = self.inputs(model) | {i: self.evaluated(text) for i, text in said.items()}
        newest = self._newest(model, made, given) if compared == "outputs" else None if self._lacks_kernel(model) else 0
        constants = {f"t{t.id}": t for t in model.constants}
        outside = {tensor.name for tensor in made.graph.initializer}  # a body may have others
        constants = {name: t for name, t in constants.items() if name in outside}
        left = [tensor for tensor in made.graph.initializer if tensor.name not in constants]
        listed = {name: t for name, t in constants.items() if t.dtype not in FOUR_BITS}
        few = {name: said[t.id] for name, t in listed.items() if math.prod(t.shape) <= spell.FEW}
        left += [proto_of(self.evaluated(text), name) for name, text in few.items()]
        del made.graph.initializer[:]
        made.graph.initializer.extend(left)
        for info in made.graph.output:
            tensor = known[int(info.name[1:])]
            kind = evaluate.element_type(tensor.dtype)
            info.CopyFrom(helper.make_tensor_value_info(info.name, kind, None if tensor.also else tensor.shape))
        return onnx_short.short(model, made, said, compared, limits, newest is None, _classes(model), newest or 0)

    def _newest(self, model: Model, made: Any, inputs: Values) -> int | None:
        """The newest operator set in which the reference accepts the model; 0 if that is the set of `made` or gives the same
        results. None if onnx's evaluator has to run it: onnxruntime accepts the model in neither, or gives other results for
        the whole model than call by call."""
        if self._lacks_kernel(model):
            return None
        if model.near_miss:
            return 0
        other = self._in_newest(model, made)
        fed = [array_of(inputs[t.id]) for t in model.fed]

        def taken(subject: Any) -> list[Seen] | None:
            try:
                return [self.seen(tensor) for tensor in at_work(reference, subject, fed)]
            except Raised:
                return None

        got, want = taken(made), taken(other) if other is not made else None
        newest = int(next((operators.version for operators in other.opset_import if not operators.domain), 0))
        whole = want if got is None else got
        if whole is None or self._differs_by_calls(model, whole, inputs):
            return None
        if got is None:
            return newest
        return 0 if want is None or all(map(compare.same, got, want)) else newest

    def _differs_by_calls(self, model: Model, whole: Sequence[Seen], inputs: Values) -> bool:
        """Whether calls one by one repeatedly give other results than the whole model: old versions of onnxruntime remove casts
        at every level."""
        if not any(map(self.casts, model.nodes)):
            return False
        found = []
        for _ in range(2):
            interpreter = Interpreter(self, model, self.copies(inputs, model), check=False, one_by_one=True)
            try:
                interpreter.run()
            except Failed:
                return False
            found.append([self.seen(interpreter.values[i]) for i in model.outputs])
        return all(map(compare.same, *found)) and not all(map(compare.same, found[0], whole))

    def _in_newest(self, model: Model, made: Any) -> Any:
        """`made`, a model's file, in the newest operator set that can express it; itself if that is its own."""
        told = [operators for operators in made.opset_import if not operators.domain]
        newest = min((node.function.newest_of(node) for node in model.nodes), default=0) if len(told) == 1 else 0
        return in_set(made, newest) if told and newest > told[0].version else made

    def spelled(self, tensor: Tensor, values: int, how: str) -> str:
        return spell.numpy_text(tensor, spell.filling(tensor, values, how))

    def evaluated(self, text: str) -> Any:
        return spell.evaluated(text, {})

    def refuses_as_given(self, subject: Any, inputs: list[Any]) -> bool:
        """See Framework. Checks a whole model of the oldest operator set, in which onnx and onnxruntime may check less."""
        try:
            at_work(reference, subject, [array_of(tensor) for tensor in inputs])
        except Raised:
            return True
        return False

    def _lacks_kernel(self, model: Model) -> bool:
        """Whether the reference evaluator runs a call of this model because onnxruntime has no kernel."""
        return None in self._kernels(model)

    def _kernels(self, model: Model) -> list[Kernel | None]:
        """The kernel of each call of a model that ran; None without one."""
        made = [out for node in model.nodes for out in node.outputs]
        dtypes = {t.id: t.dtype for t in (*model.inputs, *made)}
        kernels = [(node, (node.api, tuple(dtypes[ref] for ref in node.refs()))) for node in model.nodes]
        return [None if node.function.beyond or kernel in self._without else kernel for node, kernel in kernels]


@functools.lru_cache(1 << 12)
def _numpy(dtype: str) -> Any:
    return numpy_type(evaluate.element_type(dtype))


@functools.lru_cache(256)
def _dtype_name(dtype: Any) -> str:
    return evaluate.dtype_of_element_type(type_of(dtype))


@functools.lru_cache(256)
def _type_name(text: str) -> str:
    return evaluate.dtype_name(text) or text


def _classes(model: Model) -> list[str]:
    """The APIs of a model that are user-defined classes."""
    return sorted({node.api for node in model.nodes if node.function.own and node.function.own.classes})


def _named(tensor: Tensor) -> tuple[int | str, ...]:
    """The shape, with names of dynamic dimensions."""
    return tuple(name or size for name, size in zip(tensor.dims or ("",) * len(tensor.shape), tensor.shape, strict=True))


def _number(value: Any) -> Any:
    if isinstance(value, list):
        return [_number(item) for item in value]
    return value.value if isinstance(value, Const) else value


def load() -> Onnx:
    """The adapter."""
    return Onnx()
