"""The interface of a framework. Everything specific to one is in its adapter, frameworks/NAME.py.

Reading, interpreting, comparing, blaming and reporting are independent of the framework. They use an adapter to build tensors,
to run calls, to describe results, and to move, widen and copy tensors.
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
"""A tensor as it is compared: layout ("" for dense), shape, dtype, and its elements as an array in the widest type of their
kind. The array may be of any library that supports == < - abs | & ~ and reshape."""


DIRT = 0x4B
"""The byte that fills free memory. Its floats (1.3e7, in half precision 14.6) are finite and seldom a correct result."""
OTHER_DIRT = 0x3D
"""A second filling, to see whether a result follows: 0.046, in half precision 1.3."""


class Rejected(Exception):
    """The framework raised an exception."""


class Unanswered(Exception):
    """The call gave no answer about its validity."""


class Unavailable(Exception):
    """The framework or a target cannot work here. `missing`: the distributions to install, by their names on PyPI."""

    def __init__(self, text: str, missing: Sequence[str] = ()) -> None:
        super().__init__(text)
        self.missing = list(missing)


@dataclass(frozen=True)
class Script:
    """A framework's parts of a repro script, which needs only the framework; see repro.py."""

    imports: str
    """Import lines of the framework. A target's imports are in its `compile`."""
    model: str
    """Text that defines `model` in the form that a target takes."""
    functions: tuple[Callable[..., Any], ...]
    """Functions copied verbatim: `reference(model, inputs)`, `fresh(inputs)`, `seen(tensor)`, and what INPUTS calls."""
    inputs: tuple[str, ...]
    """An expression for each fed input."""
    constants: tuple[str, ...] = ()
    """Statements after the functions that make the constants named in `model`."""
    start: tuple[str, ...] = ()
    """Statements at the start."""
    strides: Callable[..., Any] | None = None
    """`other_strides(got, want)`, or None. Copied for targets that keep strides."""
    shared: Callable[..., Any] | None = None
    """`shared(results, inputs)` finds those that share memory, or None. Copied for targets that keep strides."""
    around: str = "{compile}"
    """The wrapper of the target's `compile`; it may name `joint`, the target's JOINT."""
    needs_elements: bool = False
    """Whether elements.py is copied, which needs numpy."""

    @staticmethod
    def plain(imports: str, text: str, functions: tuple[Callable[..., Any], ...], model: Model) -> Script:
        """The script of a model that is a function, `text`, of dense tensors made by `make_input`, one of the functions."""

        def making(t: Tensor) -> str:
            filled = (t.shape, t.dtype, elements.seed_of(model.values, t.id), t.kind or DEFAULT, t.span)
            return f"make_input({', '.join(map(repr, filled))})"

        inputs = tuple(map(making, model.fed))
        constants = tuple(f"c{t.id} = {making(t)}" for t in model.constants)
        return Script(imports, text, functions, inputs, constants, needs_elements=True)


@dataclass(frozen=True)
class Short:
    """A framework's parts of a short script; see short.py. A target's PLAIN goes between `reference` and `after`."""

    imports: tuple[str, ...]
    model: str
    """Text that defines `model` and `inputs` as PLAIN uses them."""
    reference: str
    """Text that sets `expected`."""
    compare: str
    """Text that raises AssertionError if `actual` differs."""
    after: str = ""
    """Text that sets `actual` if another value than the target's result is compared."""


class Framework(ABC):
    """An adapter. It runs no call before `enter`, unless `warm_mother` allows it."""

    name: ClassVar[str]
    warm_mother: ClassVar[bool] = False
    """Whether calls may run before a fork, because they start no threads that a child would miss."""
    forks_scripts: ClassVar[bool] = False
    """Whether scripts run in forks of a process that ran `warm_for_scripts` (script/fresh.py); else each is a new process."""
    repeats: ClassVar[bool] = False
    """Whether a call must give the same result twice and leave its inputs alone, unless the model marks it as random."""
    mutates: ClassVar[bool] = False
    """Whether calls can write to their operands."""
    checks_elements: ClassVar[bool] = False
    """Whether compilers must reject elements that the framework rejects, such as a probability of 1.5."""
    means_of_nothing: ClassVar[bool] = True
    """Whether the framework defines results over zero elements that are NaN, such as a mean."""
    wraps: ClassVar[bool] = False
    """Whether its compilers' specification defines integer arithmetic as modulo 2^n."""
    reference: ClassVar[str]
    """The implementation that runs the calls, as named in reports."""
    by_name: ClassVar[bool] = False
    """Whether the inputs of short scripts are a dictionary."""
    unsupported: ClassVar[tuple[str, ...]] = (
        "not implemented", "notimplemented", "not supported", "unsupported", "does not support", "only support",
    )  # fmt: skip
    """Lower-case parts of messages of targets that do not support something."""
    unsupported_types: ClassVar[frozenset[str]] = frozenset({"NotImplementedError"})
    memory: ClassVar[tuple[str, ...]] = (
        "can't allocate memory", "not enough memory", "out of memory", "Cannot allocate memory", "bad_alloc",
    )  # fmt: skip
    """Parts of messages about exhausted memory."""
    own_paths: ClassVar[tuple[str, ...]] = ()
    """Folders of the framework's own Python, as in a traceback's file names."""
    wrappers: ClassVar[tuple[str, ...]] = ()
    """Functions there that every call of a module passes through, so that they do not locate a failure."""

    def __init__(self) -> None:
        self.apis = table.apis(self.name) | own.functions().keys()

    # ---- names

    @abstractmethod
    def resolve(self, api: str) -> Any:
        """Resolves an API. Raises BadModel."""

    @abstractmethod
    def has_dtype(self, name: str) -> bool:
        """Whether tensors can have this dtype."""

    def constant(self, text: str) -> Const:
        """The constant with this text. Raises BadModel."""
        return literal(text)

    def operation(self, api: str) -> str:
        """The operation of an API, in lower case: "argmax"."""
        return api.rsplit(".", 1)[-1].strip("_").replace("_", "").lower()

    # ---- life

    @abstractmethod
    def versions(self) -> dict[str, str]:
        """The versions of all parts."""

    def warm_for_scripts(self) -> None:
        """Imports the modules of scripts, and fills the compiler's caches that serve all models."""
        raise NotImplementedError

    def enter(self) -> None:
        """Called once in a child."""
        self.reseed(0)

    @abstractmethod
    def reseed(self, seed: int) -> None:
        """Seeds calls that draw random numbers."""

    @contextlib.contextmanager
    def strange_memory(self, dirt: int = DIRT) -> Iterator[None]:
        """A context in which memory that a call leaves uninitialized holds this byte."""
        fill_heap(dirt)
        try:
            yield
        finally:
            fill_heap(0)

    def notes(self) -> dict[str, int]:
        """Counts of how calls were run, since the last time."""
        return {}

    # ---- tensors

    @abstractmethod
    def tensor(self, array: Any, dtype: str) -> Any:
        """A tensor of elements from elements.elements."""

    @abstractmethod
    def elements(self, items: Any, dtype: str) -> Any:
        """A tensor from a list of numbers."""

    def plain(self, tensor: Any) -> Any:
        """A contiguous copy, or the tensor itself if all tensors are contiguous."""
        return tensor

    def copy(self, tensor: Any) -> Any:
        """A tensor with its own elements, or itself if no call can write to it."""
        return tensor

    def laid_out(self, stored: Any, tensor: Tensor) -> Any:
        """A tensor of these elements with the layout that the model gives, if any."""
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
        """Copies of the inputs with the same layouts. Inputs that share a tensor still do."""
        found: Values = {}
        for t in model.inputs:
            found[t.id] = self.copy(inputs[t.id]) if t.same is None else found[t.same]
        return found

    def constants(self, model: Model) -> Values:
        """Fresh copies of the model's constants, since a target may change them."""
        return {t.id: self.seeded(t, model.values) for t in model.constants}

    def seeded(self, tensor: Tensor, values: int) -> Any:
        """A tensor with the elements that the model's values define."""
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
        """Builds one argument."""
        if isinstance(value, Ref):
            return self.plain(values[value.id]) if value.copy else values[value.id]
        if isinstance(value, list):
            return [self.build(item, values) for item in value]
        if isinstance(value, Elements):
            return self.elements(self.build(value.value, values), value.dtype)
        return value.value if isinstance(value, Const) else value

    @abstractmethod
    def is_tensor(self, value: Any) -> bool:
        """Whether a value is a tensor."""

    def tensors_of(self, result: Any) -> list[Any]:
        """The tensors of a result. Tuples and lists are flattened, other values dropped."""
        if self.is_tensor(result):
            return [result]
        if isinstance(result, (list, tuple)):
            return [tensor for item in result for tensor in self.tensors_of(item)]
        return []

    # ---- queries

    @abstractmethod
    def describe(self, tensor: Any) -> tuple[tuple[int, ...], str]:
        """Shape and dtype."""

    @abstractmethod
    def finite(self, tensor: Any) -> bool:
        """Whether all elements are finite."""

    @abstractmethod
    def extent(self, tensor: Any) -> tuple[bool, Any, Any]:
        """Whether all elements are finite, and the minimum and maximum of those that are (None without any)."""

    # ---- the oracle's

    @abstractmethod
    def seen(self, tensor: Any) -> Seen:
        """A tensor, or a target's result for one, as it is compared."""

    def other_strides(self, got: Any, want: Any) -> str:
        """How the strides differ from the reference's, for tensors of the same shape; "" if they do not or do not matter."""
        return ""

    def in_floats(self, node: Node, values: Values) -> list[Any] | None:
        """A call's results with every integer operand as float64; None if that is not possible."""
        return None

    def places(self, tensor: Any) -> set[int]:
        """The addresses of the elements; empty if calls cannot write to shared tensors."""
        return set()

    def version(self, tensor: Any) -> int:
        """A number that changes whenever a call writes to the tensor's memory; 0 if no call can."""
        return 0

    def requires_gradient(self, tensor: Any) -> bool:
        """Whether the framework records calls on the tensor."""
        return False

    def overlaps(self, tensor: Any) -> bool:
        """Whether two elements have one address."""
        return False

    def meets(self, one: Any, other: Any) -> str:
        """How the memory of two tensors overlaps: "", "same" elements, or "partly"."""
        return ""

    def shared(self, results: Sequence[Any], inputs: Sequence[Any]) -> list[Any]:
        """For each result, then each input, the memory that it shares with earlier ones; equal for two runs with the same
        sharing."""
        return []

    def declares(self, node: Node, values: Values) -> bool:
        """Whether the operators of a call declare which of its results share memory with its operands."""
        return True

    def is_widest(self, tensor: Any) -> bool:
        """Whether `widened` would only copy it."""
        return False

    @abstractmethod
    def shaker(self, seed: int, lean: float = 0.0) -> Callable[[Any], Any]:
        """Moves every float by a few units in the last place, in place if tensors share it: at random, or away from zero as far
        as rounding may (lean 1), or towards it (-1). With a lean, nonzero elements also move by a unit of the maximum, since
        small elements may be differences of large ones."""

    @abstractmethod
    def widened(self, tensor: Any) -> Any:
        """A copy in the widest type of its kind."""

    def stage(self, node: Node) -> str:
        """The float dtype that a call may compute in; "" if it is that of its results."""
        return ""

    def casts(self, node: Node) -> bool:
        """Whether a call only casts its first operand, as the specification rounds."""
        return False

    def widened_constant(self, name: str, value: Any) -> Any:
        """A constant that names a float dtype, changed to the widest of its kind; any other unchanged."""
        return value

    @abstractmethod
    def narrowed(self, tensor: Any, dtype: str) -> Any:
        """A copy in another dtype."""

    def second(self, node: Node, values: Values) -> list[Any] | None:
        """The results of a second implementation of the call; None if there is none."""
        return None

    def renewed(self, model: Model, values: Values) -> Model:
        """The model whose calls the reference should run, given the tensors of a run: calls of an older version whose result is
        wrong are marked as renewed."""
        return model

    def second_refuses(self, node: Node, values: Values, zeros: bool = False) -> bool:
        """Whether the second implementation rejects the call as invalid. `zeros`: a float division by 0 counts as well."""
        return False

    def refuses_as_given(self, subject: Any, inputs: list[Any]) -> bool:
        """For an invalid model that the reference rejects: whether it also rejects the form that targets are given."""
        return True

    def rejects_abstractly(self, subject: Any, inputs: Sequence[Any]) -> bool:
        """For an invalid model: whether its shapes and dtypes alone are rejected, which is faster than to compile it."""
        return False

    def is_unsupported(self, error: BaseException) -> bool:
        """Whether an error means that the target does not support something, rather than that it failed."""
        names = {kind.__name__ for kind in type(self.cause(error)).__mro__} | {type(error).__name__}
        text = str(error).lower()
        return bool(names & self.unsupported_types) or any(sign in text for sign in self.unsupported)

    def is_memory(self, error: BaseException) -> bool:
        """Whether an error means that the memory limit was reached."""
        return isinstance(error, MemoryError) or any(sign in str(error) for sign in self.memory)

    def cause(self, error: BaseException) -> BaseException:
        """The original error of one that wraps another."""
        return error

    def described(self, error: BaseException) -> Json:
        """An exception's type and message, and the innermost place in the framework's own Python that raised it."""
        cause, where = self.cause(error), ""
        for frame in traceback.extract_tb(cause.__traceback__):
            for folder in self.own_paths:
                if folder in frame.filename and frame.name not in self.wrappers:
                    where = f"{folder.strip('/')}/{frame.filename.rsplit(folder, 1)[1]}:{frame.name}"
        return {"type": type(cause).__name__, "message": str(error)[:4000], "where": where}

    # ---- targets

    @abstractmethod
    def subject(self, model: Model, results: Sequence[Any], outputs: Sequence[int]) -> Any:
        """The form of the model that a target compiles: it returns these outputs and has its own constants. `results`: the
        result of each node. Raises BadModel, and Raised with NotImplementedError if the model cannot be written in a target's
        form."""

    @property
    def sessions(self) -> Any:
        """The module that writes and runs programs of models with a session; None: there are none."""
        return None

    def with_bodies(self, model: Model) -> Model:
        """The model with the further results of its bodies, once these are read. Raises ValueError."""
        if any(one.is_region for one in model.bodies):
            raise ValueError(f"{self.name} has no regions")
        return model

    def written(self, model: Model, inputs: Values, noise: int | None, lean: float) -> Values:
        """The tensors of a model with regions, run as its program is written, and its gradients. `noise`, `lean`: as for
        `backward`."""
        raise NotImplementedError

    def backward(self, model: Model, inputs: Values, noise: int | None, lean: float) -> Values:
        """The gradients of a model's inputs; see oracle/gradients.py. May modify `inputs`."""
        raise NotImplementedError

    def compiled(self, target: Any, model: Model, outputs: Sequence[int], compile_target: Callable[..., Any],
                 subject: Any, example: list[Any], stage: Callable[[str], None]) -> Callable[..., Sequence[Any]]:  # fmt: skip
        """Compiles the subject, which returns these outputs, by the target's compile_target."""
        made: Callable[..., Sequence[Any]] = compile_target(subject, example, stage)
        return made

    def arguments(self, model: Model, values: Values) -> list[Any]:
        """Fresh inputs for a compiled model, in order, without the constants that it contains."""
        found = self.copies(values, model)
        return [found[t.id] for t in model.fed]

    @abstractmethod
    def warm_up(self) -> Json:
        """A small model that loads the modules of most models."""

    @abstractmethod
    def script(self, model: Model, results: Sequence[Any]) -> Script:
        """The framework's parts of a repro script. `results`: as for `subject`; empty if a node raises."""

    def short(self, model: Model, results: Sequence[Any], said: dict[int, str], compared: str, limits: tuple[float, float],
              writes: bool) -> Short:  # fmt: skip
        """The framework's parts of a short script. `said`: an expression for each input. `compared`: see short.py. `limits`:
        absolute and relative tolerance. `writes`: whether the reference overwrites an input. Raises NotImplementedError."""
        raise NotImplementedError

    def spelled(self, tensor: Tensor, values: int, how: str) -> str:
        """An expression for a tensor in short scripts. Raises Unsayable, NotImplementedError."""
        raise NotImplementedError

    def evaluated(self, text: str) -> Any:
        """Evaluates such an expression."""
        raise NotImplementedError


def fill_heap(dirt: int) -> None:
    """Makes malloc return memory filled with this byte, if the C library can; 0 turns it off. glibc does not fill blocks of its
    per-thread cache, so these are written to and freed first."""
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
    """Loads a framework's adapter. Raises Unavailable if it is not installed."""
    if name not in table.frameworks():
        raise Unavailable(f"unknown framework {name!r}; known: {', '.join(table.frameworks())}")
    try:
        module = importlib.import_module(f"rulefuzz.frameworks.{name}")
    except ImportError as error:
        raise Unavailable(*unimportable(name, error)) from error
    adapter = module.load()
    assert isinstance(adapter, Framework)
    return adapter


DISTRIBUTIONS = {"tensorflow": "tensorflow-cpu", "ai_edge_litert": "ai-edge-litert", "tvm": "apache-tvm", "google": "protobuf",
                 "cv2": "opencv-python-headless", "iree": "iree-base-compiler"}  # fmt: skip
"""Modules whose distribution has another name on PyPI."""


def unimportable(what: str, error: ImportError) -> tuple[str, list[str]]:
    """The arguments of Unavailable for a module that cannot be imported. A broken module is not reported as missing."""
    if not isinstance(error, ModuleNotFoundError) or not error.name:
        return f"{what} cannot be imported: {line_of(error)}", []
    module = error.name.partition(".")[0]
    distribution = DISTRIBUTIONS.get(module, module)
    return f"{what} needs {distribution}, which is not installed", [distribution]


def line_of(error: BaseException) -> str:
    """An exception in one line."""
    return f"{type(error).__name__}: {' '.join(str(error).split())[:400]}"
