"""What a framework is to this package: an adapter in frameworks/NAME.py, which has all that is particular to it.

Reading, interpreting, comparing, blaming and reporting belong to no framework; they ask an adapter to build tensors, to
run calls, to describe what these return, and to move, widen and copy it.
"""

from __future__ import annotations

import contextlib
import importlib
import traceback
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from rulefuzz import elements, own, table
from rulefuzz.model import DEFAULT, Const, Elements, Json, Model, Node, Ref, Tensor, Values, literal

Seen = tuple[str, tuple[int, ...], str, Any]
"""A tensor as it is compared: layout ("" for dense), shape, dtype, and its elements as an array in the widest type of
their kind, of any library whose arrays know == < - abs | & ~ and reshape."""


DIRT = 0x4B
"""Of every byte; as floats 1.3e7, as half ones 14.6: finite, and seldom right."""
OTHER_DIRT = 0x3D
"""Another, to see that a result follows: 0.046, as half ones 1.3."""


class Rejected(Exception):
    """The framework raised an exception."""


class Unanswered(Exception):
    """The call gave no answer that says anything about its validity."""


class Inexpressible(NotImplementedError):
    """A model cannot be written in the form that targets are given."""


class Unavailable(Exception):
    """The framework or a target cannot work here. `missing`: the distributions to install, as pip names them."""

    def __init__(self, text: str, missing: Sequence[str] = ()) -> None:
        super().__init__(text)
        self.missing = list(missing)


@dataclass(frozen=True)
class Script:
    """A framework's parts of a repro script, which needs nothing but the framework: see repro.py."""

    imports: str
    """Lines that import it; what a target imports is in its `compile`."""
    model: str
    """Text that defines `model`, as a target takes it."""
    functions: tuple[Callable[..., Any], ...]
    """Copied as they stand: `reference(model, inputs)`, `fresh(inputs)`, `seen(tensor)`, and what INPUTS calls."""
    inputs: tuple[str, ...]
    """An expression for each input that is fed."""
    constants: tuple[str, ...] = ()
    """Statements that make the constants which `model` names, behind the functions."""
    start: tuple[str, ...] = ()
    """Statements before all else."""
    strides: Callable[..., Any] | None = None
    """`other_strides(got, want)`, where there is one: copied for targets that keep strides."""
    around: str = "{compile}"
    """What the target's `compile` becomes before it is called; it may name `joint`, the target's JOINT."""
    needs_elements: bool = False
    """Whether it takes elements.py, numpy and all."""

    @staticmethod
    def plain(imports: str, text: str, functions: tuple[Callable[..., Any], ...], model: Model) -> Script:
        """Of a model as a function, `text`, of dense tensors that its `make_input`, one of the functions, makes."""

        def making(t: Tensor) -> str:
            filled = (t.shape, t.dtype, elements.seed_of(model.values, t.id), t.kind or DEFAULT, t.span)
            return f"make_input({', '.join(map(repr, filled))})"

        inputs = tuple(map(making, model.fed))
        constants = tuple(f"c{t.id} = {making(t)}" for t in model.constants)
        return Script(imports, text, functions, inputs, constants, needs_elements=True)


@dataclass(frozen=True)
class Short:
    """A framework's parts of a short script: see short.py. A target's PLAIN stands between `reference` and `after`."""

    imports: tuple[str, ...]
    model: str
    """Text that defines `model` and `inputs`, as PLAIN takes them."""
    reference: str
    """Text that sets `expected`."""
    compare: str
    """Text that raises AssertionError where `actual` is another."""
    after: str = ""
    """Text that sets `actual` where the target's result is not what is compared."""


class Framework(ABC):
    """An adapter. Nothing of it runs a call before `enter`, but where `warm_mother` says that this does no harm."""

    name: ClassVar[str]
    warm_mother: ClassVar[bool] = False
    """Whether calls may run before a fork: nothing that they start, threads above all, is missed by the child."""
    repeats: ClassVar[bool] = False
    """Whether a call that the model does not say is random must give the same twice, and leave its inputs alone: where not,
    it is wrong."""
    means_of_nothing: ClassVar[bool] = True
    """Whether it says what is computed of no elements and is no number: the mean of them."""
    reference: ClassVar[str]
    """What runs the calls, by the name that reports give it."""
    by_name: ClassVar[bool] = False
    """Whether the inputs of short scripts are a dictionary."""
    unsupported: ClassVar[tuple[str, ...]] = (
        "not implemented", "notimplemented", "not supported", "unsupported", "does not support", "only support",
    )  # fmt: skip
    """What messages say, in small letters, when a target cannot do something."""
    unsupported_types: ClassVar[frozenset[str]] = frozenset({"NotImplementedError"})
    memory: ClassVar[tuple[str, ...]] = (
        "can't allocate memory", "not enough memory", "out of memory", "Cannot allocate memory", "bad_alloc",
    )  # fmt: skip
    """What messages say when memory ran out."""
    own_paths: ClassVar[tuple[str, ...]] = ()
    """Folders of the framework's own Python, as they are in a traceback's file names."""
    wrappers: ClassVar[tuple[str, ...]] = ()
    """Functions there through which every call of a module goes: they say nothing of where it failed."""

    def __init__(self) -> None:
        self.apis = table.apis(self.name) | own.functions().keys()

    # ---- names

    @abstractmethod
    def resolve(self, api: str) -> Any:
        """What an API is here; raises BadModel."""

    @abstractmethod
    def has_dtype(self, name: str) -> bool:
        """Whether a tensor can be of it."""

    def constant(self, text: str) -> Const:
        """The constant with this text; raises BadModel."""
        return literal(text)

    def operation(self, api: str) -> str:
        """What an API does, in a word of small letters: "argmax"."""
        return api.rsplit(".", 1)[-1].strip("_").replace("_", "").lower()

    # ---- life

    @abstractmethod
    def versions(self) -> dict[str, str]:
        """What takes part, and its versions."""

    def enter(self) -> None:
        """Called once in a child."""
        self.reseed(0)

    @abstractmethod
    def reseed(self, seed: int) -> None:
        """Sets the seed of calls that take their own random numbers."""

    @contextlib.contextmanager
    def strange_memory(self, dirt: int = DIRT) -> Iterator[None]:
        """While it lasts, memory that a call leaves as it is holds something else than usual: this in every byte."""
        fill_heap(dirt)
        try:
            yield
        finally:
            fill_heap(0)

    def notes(self) -> dict[str, int]:
        """What is worth telling about how calls were run, counted since the last time."""
        return {}

    # ---- tensors

    @abstractmethod
    def tensor(self, array: Any, dtype: str) -> Any:
        """A tensor of the elements that elements.elements made."""

    @abstractmethod
    def elements(self, items: Any, dtype: str) -> Any:
        """A tensor of a list of numbers."""

    def plain(self, tensor: Any) -> Any:
        """A copy that lies in memory without gaps; the tensor itself where nothing else can be."""
        return tensor

    def copy(self, tensor: Any) -> Any:
        """A tensor with elements of its own; itself where no call can write to it."""
        return tensor

    def laid_out(self, stored: Any, tensor: Tensor) -> Any:
        """A tensor of these elements that lies in memory as the model says; where it says nothing, as it is."""
        if tensor.strides is not None:
            raise NotImplementedError(f"{self.name} has no strides")
        return stored

    def inputs(self, model: Model) -> Values:
        """The model's inputs with their elements."""
        found: Values = {}
        for t in model.inputs:
            found[t.id] = self.seeded(t, model.values) if t.same is None else found[t.same]
        return found

    def copies(self, inputs: Values, model: Model) -> Values:
        """Inputs with elements of their own, which lie in memory as those do; what was one tensor is one."""
        found: Values = {}
        for t in model.inputs:
            found[t.id] = self.copy(inputs[t.id]) if t.same is None else found[t.same]
        return found

    def constants(self, model: Model) -> Values:
        """The model's constants, made anew: what a target does to them is done to nobody else's."""
        return {t.id: self.seeded(t, model.values) for t in model.constants}

    def seeded(self, tensor: Tensor, values: int) -> Any:
        """A tensor with the elements that it has in a model of these values."""
        seed = elements.seed_of(values, tensor.origin) if tensor.seed is None else tensor.seed
        array = elements.elements(tensor.stored, tensor.dtype, seed, tensor.kind or DEFAULT, tensor.span)
        return self.laid_out(self.tensor(array, tensor.dtype), tensor)

    # ---- calls

    def span(self, nodes: Sequence[Node], start: int, dtypes: dict[int, str]) -> int:
        """See model.Runner."""
        return 1

    def run(self, nodes: Sequence[Node], values: Values) -> list[Any]:
        """See model.Runner."""
        return [self.call(node, values) for node in nodes]

    def run_again(self, node: Node, values: Values) -> Any:
        """See model.Runner."""
        return self.run([node], values)[0]

    def call(self, node: Node, values: Values) -> Any:
        """Runs one call."""
        positional = [self.build(arg.value, values) for arg in node.args if arg.positional]
        named = {arg.name: self.build(arg.value, values) for arg in node.args if not arg.positional}
        return node.function(*positional, **named)

    def build(self, value: Any, values: Values) -> Any:
        """One argument."""
        if isinstance(value, Ref):
            return self.plain(values[value.id]) if value.copy else values[value.id]
        if isinstance(value, list):
            return [self.build(item, values) for item in value]
        if isinstance(value, Elements):
            return self.elements(self.build(value.value, values), value.dtype)
        return value.value if isinstance(value, Const) else value

    @abstractmethod
    def is_tensor(self, value: Any) -> bool:
        """Whether it is one."""

    def tensors_of(self, result: Any) -> list[Any]:
        """The tensors of a result, tuples and lists flattened, anything else left out."""
        if self.is_tensor(result):
            return [result]
        if isinstance(result, (list, tuple)):
            return [tensor for item in result for tensor in self.tensors_of(item)]
        return []

    # ---- looking

    @abstractmethod
    def describe(self, tensor: Any) -> tuple[tuple[int, ...], str]:
        """Shape and dtype."""

    @abstractmethod
    def finite(self, tensor: Any) -> bool:
        """Whether all elements are finite."""

    @abstractmethod
    def extent(self, tensor: Any) -> tuple[bool, Any, Any]:
        """Whether all elements are finite; the least and the greatest that are, None where there is none."""

    # ---- the oracle's

    @abstractmethod
    def seen(self, tensor: Any) -> Seen:
        """A tensor, or whatever a target returned for one, as it is compared."""

    def other_strides(self, got: Any, want: Any) -> str:
        """How a target's tensor lies in memory otherwise than the reference's of the same shape, "" where it does not or where
        that means nothing."""
        return ""

    def in_floats(self, node: Node, values: Values) -> list[Any] | None:
        """What a call returns when every integer that it takes is a float of 64 bits; None where it cannot tell."""
        return None

    def places(self, tensor: Any) -> set[int]:
        """Where the elements lie in memory; nothing where tensors share none that a call can write to."""
        return set()

    @abstractmethod
    def shaker(self, seed: int, lean: float = 0.0) -> Callable[[Any], Any]:
        """What moves every float of a tensor by a few units in the last place, in place where others share it: at random, or
        away from zero as far as it may (lean 1), or towards it (-1); then also all but zeros by a unit of the greatest, up
        or down, since small elements may be what is left of great ones."""

    @abstractmethod
    def widened(self, tensor: Any) -> Any:
        """A copy in the widest type of its kind."""

    def stage(self, node: Node) -> str:
        """The float dtype in which a call may compute, whatever that of its results is; "" where it is theirs."""
        return ""

    def widened_constant(self, name: str, value: Any) -> Any:
        """A constant that names a float dtype as one that names the widest of its kind; any other as it is."""
        return value

    @abstractmethod
    def narrowed(self, tensor: Any, dtype: str) -> Any:
        """A copy in another type."""

    def second(self, node: Node, values: Values) -> list[Any] | None:
        """What another implementation of the framework's own returns for a call; None where there is none that can."""
        return None

    def second_refuses(self, node: Node, values: Values, zeros: bool = False) -> bool:
        """Whether that says that the call is against the specification. `zeros`: and so it is where it is a quotient by a float
        of 0."""
        return False

    def refuses_as_given(self, subject: Any, inputs: list[Any]) -> bool:
        """Of a near miss that it refuses: whether the reference does so, too, in the form in which a target is given it."""
        return True

    def is_unsupported(self, error: BaseException) -> bool:
        """Whether an error says that the target cannot do this, and not that it failed."""
        names = {kind.__name__ for kind in type(self.cause(error)).__mro__} | {type(error).__name__}
        text = str(error).lower()
        return bool(names & self.unsupported_types) or any(sign in text for sign in self.unsupported)

    def is_memory(self, error: BaseException) -> bool:
        """Whether an error says that the memory limit was reached."""
        return isinstance(error, MemoryError) or any(sign in str(error) for sign in self.memory)

    def cause(self, error: BaseException) -> BaseException:
        """What went wrong, where an error wraps another."""
        return error

    def described(self, error: BaseException) -> Json:
        """An exception: its type, message, and the innermost place in the framework's own Python where it was raised."""
        cause, where = self.cause(error), ""
        for frame in traceback.extract_tb(cause.__traceback__):
            for folder in self.own_paths:
                if folder in frame.filename and frame.name not in self.wrappers:
                    where = f"{folder.strip('/')}/{frame.filename.rsplit(folder, 1)[1]}:{frame.name}"
        return {"type": type(cause).__name__, "message": str(error)[:4000], "where": where}

    # ---- targets

    @abstractmethod
    def subject(self, model: Model, results: Sequence[Any], outputs: Sequence[int]) -> Any:
        """What a target compiles: the model that returns these outputs, with constants of its own. `results`: what each node
        returned."""

    def backward(self, model: Model, inputs: Values, noise: int | None, lean: float) -> Values:
        """The gradients of a model's inputs: see oracle/gradients.py. `inputs` may be used up."""
        raise NotImplementedError

    def compiled(self, target: Any, model: Model, outputs: Sequence[int], compile_target: Callable[..., Any],
                 subject: Any, example: list[Any], stage: Callable[[str], None]) -> Callable[..., Sequence[Any]]:  # fmt: skip
        """What compile_target, which is the target's, makes of the subject that returns these outputs."""
        made: Callable[..., Sequence[Any]] = compile_target(subject, example, stage)
        return made

    def arguments(self, model: Model, values: Values) -> list[Any]:
        """Fresh inputs for what a target compiled, in order: all but the constants, which it has."""
        found = self.copies(values, model)
        return [found[t.id] for t in model.fed]

    @abstractmethod
    def warm_up(self) -> Json:
        """A small model that makes the framework and the target load what most models need."""

    @abstractmethod
    def script(self, model: Model, results: Sequence[Any]) -> Script:
        """The parts of a repro script that are the framework's. `results`: as for `subject`, none where a node raises."""

    def short(self, model: Model, results: Sequence[Any], said: dict[int, str], compared: str, limits: tuple[float, float],
              writes: bool) -> Short:  # fmt: skip
        """The parts of a short script. `said`: an expression for each input; `compared`: see short.py; `limits`: the absolute
        and relative error that is nothing; `writes`: whether the reference writes over an input. Raises NotImplementedError."""
        raise NotImplementedError

    def spelled(self, tensor: Tensor, values: int, how: str) -> str:
        """An expression for a tensor, for short scripts. Raises Unsayable, NotImplementedError."""
        raise NotImplementedError

    def evaluated(self, text: str) -> Any:
        """The value of such an expression."""
        raise NotImplementedError


def fill_heap(dirt: int) -> None:
    """Has malloc hand out memory that holds this in every byte, as far as the C library can; 0: as usual. glibc fills what it
    hands out, but for blocks that it keeps for each thread: those are written to and freed before."""
    import ctypes

    libc, perturb = ctypes.CDLL(None), -6
    if not hasattr(libc, "mallopt"):
        return
    libc.malloc.restype, libc.free.argtypes = ctypes.c_void_p, (ctypes.c_void_p,)
    for size in range(16, 1040, 16) if dirt else ():
        blocks = [libc.malloc(size) for _ in range(7)]
        for block in filter(None, blocks):
            ctypes.memset(block, dirt, size)
            libc.free(block)
    libc.mallopt(perturb, dirt ^ 0xFF if dirt else 0)


def load(name: str) -> Framework:
    """The adapter of a framework in the table. Raises Unavailable where it is not installed."""
    if name not in table.frameworks():
        raise Unavailable(f"unknown framework {name!r}; known: {', '.join(table.frameworks())}")
    try:
        module = importlib.import_module(f"rulefuzz.frameworks.{name}")
    except ImportError as error:
        raise Unavailable(*unimportable(name, error)) from error
    adapter = module.load()
    assert isinstance(adapter, Framework)
    return adapter


DISTRIBUTIONS = {"tensorflow": "tensorflow-cpu", "ai_edge_litert": "ai-edge-litert", "tvm": "apache-tvm", "google": "protobuf"}
"""Modules that are imported by another name than pip's."""


def unimportable(what: str, error: ImportError) -> tuple[str, list[str]]:
    """What Unavailable says of a module that cannot be imported. Only one that is not there has to be installed."""
    if not isinstance(error, ModuleNotFoundError) or not error.name:
        return f"{what} cannot be imported: {line_of(error)}", []
    module = error.name.partition(".")[0]
    distribution = DISTRIBUTIONS.get(module, module)
    return f"{what} needs {distribution}, which is not installed", [distribution]


def line_of(error: BaseException) -> str:
    """An exception in a line."""
    return f"{type(error).__name__}: {' '.join(str(error).split())[:400]}"
