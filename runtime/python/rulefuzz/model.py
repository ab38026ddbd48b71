"""Reads a model's JSON (docs/reference/file-formats.md), checks it and interprets it, in one way for all frameworks.

Names and constants come from untrusted files. An API must be one with records, which the framework resolves to one of
its operators. A constant is a Python literal or a name that the framework knows. Neither is evaluated.
"""

from __future__ import annotations

import ast
import keyword
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Protocol, TypeVar

from rulefuzz.bodies import body
from rulefuzz.effects.effect import Effect, needed
from rulefuzz.invalid import change
from rulefuzz.session import construct
from rulefuzz.session.construct import Session

Json = Any
Values = dict[int, Any]
Made = TypeVar("Made")
"""Tensors of a framework by id."""
SETTINGS, SETTING = 8, re.compile(r"[A-Za-z0-9._-]{1,63}")
"""How many settings a model may have, and their names and values, the same as in C (runtime/model/settings.h)."""
KINDS = ("unit", "positive", "small", "large", "finite", "any")
DEFAULT = "small"
DEPTH = 16
"""Maximum nesting of lists, the same as in C (runtime/model/model_read.c)."""


UNREADABLE = (LookupError, TypeError, ValueError, AttributeError, ArithmeticError, RecursionError)
"""Exceptions of JSON that is not a model, which includes numbers out of range and endless lists."""


class BadModel(Exception):
    """The model cannot be read: an unknown name, an unsafe constant, a dangling reference. `node`: where, if in a node."""

    node: int | None = None


@dataclass(frozen=True, slots=True)
class Tensor:
    """A tensor as the model declares it."""

    id: int
    shape: tuple[int, ...]
    dtype: str
    kind: str = ""
    """The class of an input's elements; "" for the default."""
    span: tuple[int, ...] | None = None
    """The range of an input's integers, without its end; then their divisor if the elements are fractions."""
    constant: bool = False
    """Whether an input is a constant of the compiled model rather than fed."""
    dims: tuple[str, ...] = ()
    """The names of an input's dimensions, "" for static ones; empty if all are static."""
    also: tuple[tuple[int, ...], ...] = ()
    """The shapes in the further shape instances; empty if all are the same."""
    strides: tuple[int, ...] | None = None
    """The strides of an input, in elements; None for contiguous. Stride 0 repeats an element."""
    offset: int = 0
    """The offset of its first element."""
    same: int | None = None
    """The earlier input that is the same tensor."""
    seed: int | None = None
    """The seed of its elements in a merged model; None if the model's values and its origin define it."""

    @property
    def stored(self) -> tuple[int, ...]:
        """The shape of the stored elements."""
        if self.strides is None:
            return self.shape
        return tuple(1 if stride == 0 and size > 1 else size for size, stride in zip(self.shape, self.strides, strict=True))

    @property
    def origin(self) -> int:
        """The input whose elements it has."""
        return self.id if self.same is None else self.same


@dataclass(frozen=True, slots=True)
class Ref:
    """The use of an earlier tensor, or of a copy if the call may write to it or needs it contiguous."""

    id: int
    copy: bool = False
    span: tuple[int, ...] = ()
    """The range of the tensor's elements, which are symbols of the call."""


@dataclass(frozen=True, slots=True)
class Const:
    """A fixed value and its source text."""

    value: Any
    text: str


@dataclass(frozen=True, slots=True)
class Elements:
    """A tensor literal: nested lists of integers or constants."""

    value: Any
    dtype: str


@dataclass(frozen=True, slots=True)
class Arg:
    """One argument: an integer, which is a symbol of the call, a Ref, a Const, Elements, or a list of these."""

    name: str
    positional: bool
    value: Any


@dataclass(frozen=True, slots=True)
class Node:
    """One call."""

    op: str
    api: str
    function: Any
    """The framework's function for the API."""
    args: tuple[Arg, ...]
    outputs: tuple[Tensor, ...]
    random: bool = False
    """Whether results may differ between implementations, because they are random or computed from random numbers."""
    renewed: bool = False
    """Whether the reference runs a newer version of the operator, since its own version's kernel is wrong."""

    def refs(self) -> list[int]:
        """The tensors that the call uses, in order, with repetitions."""
        found = []
        for arg in self.args:
            if isinstance(arg.value, Ref):
                found.append(arg.value.id)
            elif isinstance(arg.value, list):
                found += [leaf.id for leaf in leaves(arg.value) if isinstance(leaf, Ref)]
        return found


@dataclass(frozen=True, slots=True)
class Model:
    """Inputs, calls in order, and the tensors to compare."""

    inputs: tuple[Tensor, ...]
    """Includes constants."""
    nodes: tuple[Node, ...]
    outputs: tuple[int, ...]
    values: int = 0
    """The seed of the inputs' elements."""
    index: int | None = None
    """Its index among others."""
    probe: bool = False
    """Whether the model probes what a target supports. It has the newest operator set then, as models may need it."""
    gradients: tuple[tuple[int, int], ...] = ()
    """Inputs whose gradients are outputs, each with the gradient's id."""
    module: bool = False
    """Whether the model is a module whose parameters are its constants."""
    assignments: int = 1
    """The number of shape instances; see assignments.py."""
    near_miss: bool = False
    """Whether the last call is invalid and must be rejected."""
    change: str = ""
    """The kind of change that makes the last call invalid, if it violates no clause of its rule; see invalid/change.py. The
    reference may accept such a call."""
    opset: int = 0
    """The operator set of its file; 0: the oldest that has all of its calls. Only for models that are files."""
    bodies: tuple[body.Body, ...] = ()
    """Runs of nodes that a file stores as functions or subgraphs."""
    settings: tuple[tuple[str, str], ...] = ()
    """Settings of the target that are not the default, by name."""
    session: Session | None = None
    """How it is called several times; None: once."""
    extras: tuple[tuple[int, Tensor], ...] = ()
    """Further results of regions, which are outputs, each with the number of its region among the bodies."""
    effects: tuple[Effect, ...] = ()
    """The effect of each node, once the reference has run; empty if none writes to memory of an earlier tensor."""

    @property
    def fed(self) -> tuple[Tensor, ...]:
        """The inputs that are fed."""
        return tuple(t for t in self.inputs if not t.constant)

    @property
    def constants(self) -> tuple[Tensor, ...]:
        """The inputs that are constants."""
        return tuple(t for t in self.inputs if t.constant)

    def node_of(self, tensor: int) -> int:
        """The index of the node that made a tensor; -1 for an input."""
        return next((i for i, node in enumerate(self.nodes) if tensor in (o.id for o in node.outputs)), -1)

    def tensors(self, end: int | None = None) -> dict[int, Tensor]:
        """The tensors before a node, or all."""
        found = {t.id: t for t in self.inputs}
        for node in self.nodes[:end]:
            found.update((t.id, t) for t in node.outputs)
        return found

    def last(self) -> int:
        """The maximum id."""
        further = [*(gradient for _, gradient in self.gradients), *(t.id for _, t in self.extras)]
        return max((*self.tensors(), *further), default=-1)

    def made(self) -> tuple[int, ...]:
        """The tensors that the nodes make, in order."""
        return tuple(out.id for node in self.nodes for out in node.outputs)

    def leading_to(self, wanted: Iterable[int]) -> Model:
        """The model without calls that none of these tensors needs. A write is needed if the changed tensor is."""
        calls = [(node.refs(), [out.id for out in node.outputs]) for node in self.nodes]
        kept = needed(self.effects, calls, wanted)
        effects = tuple(self.effects[i] for i in kept if self.effects)
        return replace(self, nodes=tuple(self.nodes[i] for i in kept), effects=effects)

    def behind(self, marks: Callable[[Tensor, Node | None], bool]) -> frozenset[int]:
        """The marked tensors and everything computed from them. `marks` sees a tensor and the node that makes it."""
        found = {t.id for t in self.inputs if marks(t, None)}
        for i, node in enumerate(self.nodes):
            taken = not found.isdisjoint(node.refs())
            made = {out.id for out in node.outputs if taken or marks(out, node)}
            found |= made
            if made and self.effects:
                found |= self.effects[i].writes
        return frozenset(found)


def leaves(value: Any) -> Iterator[Any]:
    """The integers, Refs, Consts and Elements of an argument, in order."""
    if isinstance(value, list):
        for item in value:
            yield from leaves(item)
    else:
        yield value


def symbols(model: Model, index: int) -> tuple[list[int], list[str], list[str]]:
    """The symbols, tensor dtypes and constants of a call (without those of Elements), in argument order."""
    tensors = model.tensors(index)
    numbers: list[int] = []
    dtypes: list[str] = []
    constants: list[str] = []
    for arg in model.nodes[index].args:
        for leaf in leaves(arg.value):
            if isinstance(leaf, Ref):
                numbers += [*tensors[leaf.id].shape, *leaf.span]
                dtypes.append(tensors[leaf.id].dtype)
            elif isinstance(leaf, Elements):
                numbers += [number for number in leaves(leaf.value) if isinstance(number, int)]
            elif isinstance(leaf, Const):
                constants.append(leaf.text)
            else:
                numbers.append(leaf)
    return numbers, dtypes, constants


# ---- reading


class Names(Protocol):
    """The part of a framework that the reader uses."""

    apis: frozenset[str]
    """The APIs that a model may call."""

    def resolve(self, api: str) -> Any:
        """Resolves an API. Raises BadModel."""

    def constant(self, text: str) -> Const:
        """The constant with this text. Raises BadModel."""

    def has_dtype(self, name: str) -> bool:
        """Whether tensors can have this dtype."""


def literal(text: str) -> Const:
    """The constant of a Python literal, or of inf or nan."""
    if text.lstrip("-") in ("inf", "nan"):
        return Const(float(text), f'float("{text}")')
    try:
        value = ast.literal_eval(text)
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        raise BadModel(f"not a literal: {text!r}") from None
    if isinstance(value, float) and value in (float("inf"), float("-inf")):  # an overflowed one
        return Const(value, f'float("{value}")')
    return Const(value, repr(value))


def is_plain(name: str) -> bool:
    """Whether a name may be written into source code."""
    return name.isidentifier() and name.isascii() and not keyword.iskeyword(name)


def is_public(api: str) -> bool:
    """Whether an API's name has no private part. The last part may be an operator's, as in torch.Tensor.__add__."""
    *parts, last = api.split(".")
    special = last.startswith("__") and last.endswith("__") and len(last) > 4
    return all(is_plain(part) and not part.startswith("_") for part in parts) and is_plain(last) and (
        special or not last.startswith("_"))  # fmt: skip


def layout(item: Json, rank: int) -> dict[str, Any]:
    """The layout of an input, as fields of a Tensor. Raises BadModel."""
    if "same" in item:
        return {"same": int(item["same"])}
    strides, offset = tuple(int(n) for n in item["strides"]), int(item.get("offset", 0))
    if len(strides) != rank or min(strides, default=0) < 0 or offset < 0:
        raise BadModel(f"expected strides and an offset for {rank} dimensions, got {strides}, {offset}")
    return {"strides": strides, "offset": offset}


def settings(item: Json) -> tuple[tuple[str, str], ...]:
    """The settings of the target in a model's JSON. Raises BadModel."""
    found = tuple(item.get("settings", {}).items())
    if len(found) > SETTINGS or not all(isinstance(text, str) and SETTING.fullmatch(text) for pair in found for text in pair):
        raise BadModel(f"expected at most {SETTINGS} settings of letters, digits and '._-'")
    return found


def replaced_values(model: Model, number: int) -> Model:
    """The model with other elements, one of many; 0: its own."""
    return replace(model, values=model.values + number * 7919)


def with_gradients(model: Model) -> Model:
    """The model with the gradients of its fed float inputs as further outputs."""
    first = max(model.last(), 0) + 1
    taken = [t.id for t in model.fed if "float" in t.dtype and "float8" not in t.dtype and t.same is None]
    pairs = tuple(zip(taken, range(first, first + len(taken)), strict=True))
    return replace(model, gradients=pairs, outputs=(*model.outputs, *(gradient for _, gradient in pairs)))


def forward(model: Model) -> Model:
    """The model without gradients."""
    gradients = {gradient for _, gradient in model.gradients}
    return replace(model, gradients=(), outputs=tuple(i for i in model.outputs if i not in gradients))


class Reader:
    """Reads models for one framework."""

    def __init__(self, names: Names) -> None:
        self._names = names
        self._functions: dict[str, Any] = {}
        self._constants: dict[str, Const] = {}

    def model(self, item: Json) -> Model:
        """Reads the model of a JSON object. Raises BadModel."""
        try:
            changed = item["change"]["kind"] if "change" in item else ""
            item = change.applied(item) if changed else item
            inputs = tuple(map(self._tensor, item["inputs"]))
            known = {tensor.id for tensor in inputs}
            if not all(t.same is None or t.same in {u.id for u in inputs[:i] if u.same is None} for i, t in enumerate(inputs)):
                raise BadModel("an input shares a tensor that is not an input")
            nodes: list[Node] = []
            for call in item["nodes"]:
                nodes.append(self._located(call, known, len(nodes)))
                known.update(tensor.id for tensor in nodes[-1].outputs)
            outputs = tuple(int(i) for i in item["outputs"])
            if not known.issuperset(outputs):
                raise BadModel("an output is not a tensor of the model")
            model = Model(inputs, tuple(nodes), outputs, int(item.get("values", 0)), item.get("index"))
            model = replace(model, module=item.get("module") is True, near_miss=item.get("near_miss") is True,
                            change=changed, opset=int(item.get("opset", 0)))  # fmt: skip
            model = replace(model, settings=settings(item))
            if "session" in item and not model.near_miss:
                model = replace(model, session=construct.read(item["session"]))
            if "bodies" in item:
                if model.session:
                    raise BadModel("a model with a session has no bodies")
                extended: Callable[[Model], Model] = getattr(self._names, "with_bodies", lambda read: read)
                model = extended(replace(model, bodies=self._bodies(item, model)))
            return with_gradients(model) if item.get("gradients") is True else model
        except UNREADABLE as error:
            raise BadModel(f"not a model: {type(error).__name__}: {error}") from error

    @staticmethod
    def _bodies(item: Json, model: Model) -> tuple[body.Body, ...]:
        if model.near_miss:
            raise BadModel("bodies in an invalid model")
        used = {ref for node in model.nodes for ref in node.refs()}
        bodies = body.read(item["bodies"], len(model.nodes), model.inputs, used)
        if "dims" in item and any(one.kind not in ("function", "if") for one in bodies):
            raise BadModel("a loop or a region in a model with dynamic shapes")
        return bodies

    def _located(self, call: Json, known: set[int], place: int) -> Node:
        try:
            return self._node(call, known)
        except BadModel as error:
            error.node = place
            raise

    def _node(self, call: Json, known: set[int]) -> Node:
        api = call["api"]
        args = tuple(Arg(arg["name"], bool(arg["pos"]), self._value(arg["value"], known)) for arg in call["args"])
        if not all(is_plain(arg.name) for arg in args if not arg.positional):
            raise BadModel(f"an argument of {api!r} needs a plain name")
        outputs = tuple(map(self._tensor, call["outputs"]))
        return Node(call.get("op", api), api, self._function(api), args, outputs, call.get("random") is True)

    def _function(self, api: str) -> Any:
        if api not in self._functions:
            if not isinstance(api, str) or api not in self._names.apis or not is_public(api):
                raise BadModel(f"unknown operator: {api!r}")
            self._functions[api] = self._names.resolve(api)
        return self._functions[api]

    def _value(self, item: Json, known: set[int], depth: int = 0) -> Any:
        if depth > DEPTH:
            raise BadModel(f"lists nested more than {DEPTH} deep")
        if isinstance(item, list):
            return [self._value(part, known, depth + 1) for part in item]
        if isinstance(item, int):
            return item
        if isinstance(item, dict) and "ref" in item:
            if item["ref"] not in known:
                raise BadModel(f"reference to tensor {item['ref']!r}, which does not exist yet")
            return Ref(int(item["ref"]), item.get("copy") is True, tuple(int(end) for end in item.get("range", ())))
        if isinstance(item, dict) and "const" in item:
            return self._constant(item["const"])
        if isinstance(item, dict) and "elements" in item:
            return Elements(self._value(item["elements"], set(), depth + 1), self._dtype(item["dtype"]))
        raise BadModel(f"not a value: {item!r}")

    def _constant(self, text: str) -> Const:
        if text not in self._constants:
            self._constants[text] = self._names.constant(text)
        return self._constants[text]

    def _dtype(self, name: str) -> str:
        if not isinstance(name, str) or not self._names.has_dtype(name):
            raise BadModel(f"unknown dtype {name!r}")
        return name

    def _tensor(self, item: Json) -> Tensor:
        kind, span = item.get("values", ""), item.get("range")
        if kind and kind not in KINDS:
            raise BadModel(f"unknown class of elements: {kind!r}")
        if span is not None:
            span = tuple(int(number) for number in span)
            if len(span) not in (2, 3):
                raise BadModel(f"expected a range of two or three numbers, got {span!r}")
        shape, constant = tuple(int(d) for d in item["shape"]), item.get("constant") is True
        number = int(item["id"])
        if number < 0:
            raise BadModel(f"expected a tensor id >= 0, got {item['id']!r}")
        made = Tensor(number, shape, self._dtype(item["dtype"]), kind, span, constant)
        return replace(made, **layout(item, len(shape))) if {"strides", "offset", "same"} & item.keys() else made


# ---- running


class Mismatch(Exception):
    """A call's results differ from the model's declaration. Its arguments are "shape" or "dtype", and a description."""


class Raised(Exception):
    """A framework or a target raised `error`. Any other exception is a bug of the oracle."""

    def __init__(self, error: Exception) -> None:
        super().__init__(str(error))
        self.error = error


def at_work(work: Callable[..., Made], *args: Any) -> Made:
    """Calls only code of a framework or a target. Raises Raised."""
    try:
        return work(*args)
    except Exception as error:
        raise Raised(error) from error


class Failed(Exception):
    """A node raised."""

    def __init__(self, node: int, error: Exception) -> None:
        super().__init__(str(error))
        self.node, self.error = node, error


class Runner(Protocol):
    """The part of a framework that the interpreter uses."""

    def span(self, nodes: Sequence[Node], start: int, dtypes: dict[int, str]) -> int:
        """The number of nodes, from `start` on, that one call of `run` executes; at least 1."""

    def run(self, nodes: Sequence[Node], values: Values) -> list[Any]:
        """Runs a node; returns its result."""

    def run_again(self, node: Node, values: Values) -> Any:
        """The same for a node that runs many times; implementations may cache."""

    def tensors_of(self, result: Any) -> list[Any]:
        """The tensors in a node's result."""

    def describe(self, tensor: Any) -> tuple[tuple[int, ...], str]:
        """Shape and dtype."""


After = Callable[[int, Any, list[Any]], list[Any]]
"""Called with a node's index, its result and the tensors of that; returns the tensors for later calls."""


def check_results(runner: Runner, node: Node, results: Sequence[Any]) -> None:
    """Compares a node's results with the model. Raises Mismatch."""
    if len(results) != len(node.outputs):
        raise Mismatch("shape", f"{len(results)} outputs instead of {len(node.outputs)}")
    for result, want in zip(results, node.outputs, strict=True):
        shape, dtype = runner.describe(result)
        if shape != want.shape:
            raise Mismatch("shape", f"shape {list(shape)} instead of {list(want.shape)}")
        if dtype != want.dtype:
            raise Mismatch("dtype", f"dtype {dtype} instead of {want.dtype}")


@dataclass
class Interpreter:
    """Runs a model node by node, or span by span if the framework can. All tensors are in `values`."""

    runner: Runner
    model: Model
    values: Values
    """The inputs at first."""
    before: Callable[[int], None] = lambda node: None
    """Called with the first node of each span."""
    after: After = lambda node, result, tensors: tensors
    check: bool = True
    """Whether results must match the model."""
    one_by_one: bool = False
    spans: list[int] = field(default_factory=list)
    """The length of each span. Values may have more precision within a span than between two."""
    as_before: Sequence[int] = ()
    """The spans of an earlier run, to be repeated."""
    one_of_many: bool = False
    """Whether the model is run many times with other elements: node by node, by `run_again`."""

    def run(self, end: int | None = None) -> None:
        """Runs the nodes before `end`. Raises Failed."""
        nodes, at = self.model.nodes[:end], 0
        one = self.one_by_one or self.one_of_many
        whole = len(nodes) if one else 0  # spans that start before this node have length one, after one failed
        dtypes = {i: t.dtype for i, t in self.model.tensors().items()}
        again = iter(self.as_before)
        while at < len(nodes):
            count = next(again, 0) or (1 if at < whole else self.runner.span(self.model.nodes, at, dtypes))
            count = min(count, len(nodes) - at)
            self.before(at)
            try:
                results = self._span(nodes[at : at + count])
            except (Raised, Mismatch) as raised:
                error = raised.error if isinstance(raised, Raised) else raised
                if count == 1:
                    raise Failed(at, error) from error
                whole, again = at + count, iter(())
                continue
            for i, (result, tensors) in enumerate(results, at):
                taken = self.after(i, result, tensors)
                self.values.update((out.id, t) for out, t in zip(nodes[i].outputs, taken, strict=False))
            self.spans.append(count)
            at += count

    def _span(self, nodes: Sequence[Node]) -> list[tuple[Any, list[Any]]]:
        one = self.one_of_many
        found = [at_work(self.runner.run_again, nodes[0], self.values)] if one else at_work(self.runner.run, nodes, self.values)
        results = [(result, self.runner.tensors_of(result)) for result in found]
        if self.check:
            for node, (_, tensors) in zip(nodes, results, strict=True):
                check_results(self.runner, node, tensors)
        return results
