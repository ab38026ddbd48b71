"""torch: the reference is eager mode, on one thread, without gradients."""

from __future__ import annotations

import contextlib
import functools
import logging
import os
import platform
import random
import tempfile
import types
import warnings
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import torch
import torch.fx.experimental.symbolic_shapes  # some calls import it, which costs each child seconds

from rulefuzz import own
from rulefuzz.effects import torch as memory
from rulefuzz.elements import seed_of
from rulefuzz.framework import DIRT, Framework, Script, Seen, Short
from rulefuzz.frameworks import torch_forms, torch_modules
from rulefuzz.frameworks.short import torch as torch_short
from rulefuzz.frameworks.torch_elements import make_input
from rulefuzz.frameworks.torch_layouts import copied, laid_out
from rulefuzz.model import (
    BadModel,
    Const,
    Interpreter,
    Json,
    Model,
    Node,
    Raised,
    Tensor,
    Values,
    at_work,
    forward,
    literal,
)
from rulefuzz.regions import region
from rulefuzz.regions import run as regions
from rulefuzz.regions import text as regions_text
from rulefuzz.script import source, spell

NAMED = (torch.dtype, torch.layout, torch.memory_format)
"""Kinds of named constants."""
WIDER = {
    torch.float16: torch.float64,
    torch.bfloat16: torch.float64,
    torch.float32: torch.float64,
    torch.complex32: torch.complex128,
    torch.complex64: torch.complex128,
}
DIALECT = source.Dialect("torch", "{}.clone(memory_format=torch.contiguous_format)", "torch.tensor", "torch.Tensor.")
WARM_UP = [("torch.add", [0, 1]), ("torch.nn.functional.softmax", [2]), ("torch.matmul", [3, 0]), ("torch.Tensor.sum", [4])]
"""Calls on tensors of shape [20, 20]; the last one returns a scalar."""


# ---- copied into scripts


def seen(tensor: Any) -> Any:
    """A result as it is compared: layout, shape, dtype, and elements in the widest type of their kind."""
    if not isinstance(tensor, torch.Tensor):
        return type(tensor).__name__, (), "", None
    layout = "" if tensor.layout == torch.strided else str(tensor.layout)
    wide = tensor.to_dense() if layout else tensor
    if tensor.is_complex() or tensor.is_floating_point():
        wide = wide.to(torch.complex128 if tensor.is_complex() else torch.float64)
    return layout, tuple(tensor.shape), str(tensor.dtype).removeprefix("torch."), wide


def other_strides(got: Any, want: Any) -> str:
    """How strides differ if the wanted tensor is dense; "" if they do not. Dimensions of size 1 are ignored. Strides of
    overlapping tensors and of tensors with gaps (expanded ones, slices) are unspecified."""
    if not isinstance(got, torch.Tensor) or not got.layout == want.layout == torch.strided or want.numel() == 0:
        return ""
    places, filled = [i for i, size in enumerate(want.shape) if size != 1], 1
    for stride, size in sorted((want.stride(i), want.shape[i]) for i in places):
        if stride != filled:
            return ""
        filled *= size
    one, other = ([x.stride(i) for i in places] for x in (got, want))
    return "" if one == other else f"strides {one} instead of {other}"


def fresh(inputs: Any) -> Any:
    """Copies of the inputs with the same layouts, since a call may write to them."""
    made = {id(tensor): copied(tensor) for tensor in inputs}
    return [made[id(tensor)] for tensor in inputs]


def reference(model: Any, inputs: Any) -> Any:
    """The model's results in eager mode."""
    return model(*inputs)


# ---- the adapter


def _is_float(tensor: Any) -> bool:
    return bool(tensor.is_floating_point() or tensor.is_complex())


def _is_integer(tensor: Any) -> bool:
    return not _is_float(tensor) and tensor.dtype != torch.bool and tensor.layout == torch.strided


class Torch(Framework):
    """See Framework."""

    name = "torch"
    reference = "torch"
    warm_mother = True
    forks_scripts = True
    mutates = True
    checks_elements = True
    unsupported_types = frozenset(
        {"NotImplementedError", "Unsupported", "UnsupportedFakeTensorException", "UnsupportedOperatorException",
         "DataDependentOutputException", "DynamicOutputShapeException", "GuardOnDataDependentSymNode",
         "UncapturedHigherOrderOpError"}
    )  # fmt: skip
    unsupported = (*Framework.unsupported, "its data is not allocated yet", "get value out of a tracing tensor",
                   "itensor_view_from_dense",
                   "does not currently support", "data-dependent expression", "of tensor a (u", "of tensor b (u",
                   "a dimension of length u", "is banned in compile")  # fmt: skip
    own_paths = ("/torch/",)
    wrappers = ("_call_impl", "_wrapped_call_impl")

    def __init__(self) -> None:
        super().__init__()
        warnings.simplefilter("ignore")
        torch.set_num_threads(1)
        torch.set_grad_enabled(False)

    # ---- names

    def resolve(self, api: str) -> Any:
        """See Framework."""
        if api in own.functions():
            return own.functions()[api]
        value: Any = torch
        for name in api.split(".")[1:]:
            try:
                value = getattr(value, name)
            except AttributeError:
                raise BadModel(f"torch {torch.__version__} has no {api}") from None
        if isinstance(value, (type, types.ModuleType)) or not callable(value):
            raise BadModel(f"not an operator of torch: {api!r}")
        return value

    def constant(self, text: str) -> Const:
        """See Framework."""
        if not text.startswith("torch."):
            return literal(text)
        value = getattr(torch, text.removeprefix("torch."), None)
        if isinstance(value, NAMED):
            return Const(value, text)
        raise BadModel(f"not a constant of torch: {text!r}")

    def has_dtype(self, name: str) -> bool:
        """See Framework."""
        return isinstance(getattr(torch, name, None), torch.dtype)

    # ---- life

    def versions(self) -> dict[str, str]:
        """See Framework."""
        return {"python": platform.python_version(), "torch": torch.__version__}

    def warm_for_scripts(self) -> None:
        """See Framework."""
        import torch._dynamo

        with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
            warnings.simplefilter("ignore")
            os.environ["TORCHINDUCTOR_CACHE_DIR"] = folder
            torch.compile(lambda x: x.exp() + 1, dynamic=False)(torch.ones(3, 17))
        torch._dynamo.reset()

    def enter(self) -> None:
        """See Framework."""
        torch.manual_seed(0)

    def reseed(self, seed: int) -> None:
        """See Framework."""
        torch.manual_seed(seed)
        random.seed(seed)

    @contextlib.contextmanager
    def strange_memory(self, dirt: int = DIRT) -> Iterator[None]:
        """See Framework: deterministic algorithms fill uninitialized memory with NaN; any other filling is malloc's."""
        if dirt != DIRT:
            with super().strange_memory(dirt):
                yield
            return
        torch.use_deterministic_algorithms(True, warn_only=True)
        try:
            yield
        finally:
            torch.use_deterministic_algorithms(False)

    # ---- tensors

    def inputs(self, model: Model) -> Values:
        """See Framework."""
        regions.clean()
        return super().inputs(model)

    def tensor(self, array: Any, dtype: str) -> Any:
        """See Framework."""
        return torch.from_numpy(array).to(getattr(torch, dtype))

    def elements(self, items: Any, dtype: str) -> Any:
        """See Framework."""
        return torch.tensor(items, dtype=getattr(torch, dtype))

    def plain(self, tensor: Any) -> Any:
        """See Framework."""
        return tensor.clone(memory_format=torch.contiguous_format) if tensor.layout == torch.strided else tensor.clone()

    def copy(self, tensor: Any) -> Any:
        """See Framework."""
        return copied(tensor)

    def laid_out(self, stored: Any, tensor: Tensor) -> Any:
        """See Framework."""
        return stored if tensor.strides is None else laid_out(stored, tensor.shape, tensor.strides, tensor.offset)

    def is_tensor(self, value: Any) -> bool:
        """See Framework."""
        return isinstance(value, torch.Tensor)

    # ---- looking

    def describe(self, tensor: Any) -> tuple[tuple[int, ...], str]:
        """See Framework."""
        return tuple(tensor.shape), _dtype_name(tensor.dtype)

    def finite(self, tensor: Any) -> bool:
        """See Framework."""
        return not _is_float(tensor) or tensor.layout != torch.strided or bool(torch.isfinite(tensor).all())

    def extent(self, tensor: Any) -> tuple[bool, Any, Any]:
        """See Framework."""
        if tensor.layout != torch.strided:
            return True, None, None
        plain = torch.view_as_real(tensor.resolve_conj()) if tensor.is_complex() else tensor
        plain = plain.to(torch.float64)
        usable = plain[plain.isfinite()]
        if not usable.numel():
            return bool(plain.isfinite().all()), None, None
        return usable.numel() == plain.numel(), float(usable.min()), float(usable.max())

    # ---- the oracle's

    def seen(self, tensor: Any) -> Seen:
        """See Framework."""
        return seen(tensor)  # type: ignore[no-any-return]

    def other_strides(self, got: Any, want: Any) -> str:
        """See Framework."""
        return other_strides(got, want)

    def in_floats(self, node: Node, values: Values) -> list[Any] | None:
        """See Framework."""
        taken = {i: values[i] for i in node.refs()}
        if node.random or not any(map(_is_integer, taken.values())):
            return None
        wide = {i: t.to(torch.float64) if _is_integer(t) else t.clone() for i, t in taken.items()}
        try:
            return self.tensors_of(at_work(self.call, node, wide))
        except Raised:  # an integer-only call
            return None

    def places(self, tensor: Any) -> set[int]:
        """See Framework."""
        if tensor.layout != torch.strided or not tensor.numel():
            return set()
        return {tensor.data_ptr() - tensor.storage_offset() * tensor.element_size()}  # torch < 2.0 has no untyped_storage

    def version(self, tensor: Any) -> int:
        """See Framework."""
        return int(tensor._version)

    def requires_gradient(self, tensor: Any) -> bool:
        """See Framework."""
        return bool(tensor.requires_grad)

    def overlaps(self, tensor: Any) -> bool:
        """See Framework."""
        return memory.overlaps(tensor)

    def meets(self, one: Any, other: Any) -> str:
        """See Framework."""
        return memory.meets(one, other)

    def shared(self, results: Sequence[Any], inputs: Sequence[Any]) -> list[Any]:
        """See Framework."""
        return memory.shared(results, inputs)

    def declares(self, node: Node, values: Values) -> bool:
        """See Framework."""
        taken = {i: self.copy(values[i]) for i in node.refs()}
        strided = [t for t in taken.values() if t.layout == torch.strided]
        with contextlib.suppress(Exception), memory.Declared(set(map(memory.storage, strided))) as declared:
            self.call(node, taken)
        return not declared.broken

    def is_widest(self, tensor: Any) -> bool:
        """See Framework."""
        return tensor.dtype not in WIDER

    def shaker(self, seed: int, lean: float = 0.0) -> Callable[[Any], Any]:
        """See Framework. A tensor that overlaps itself is not moved."""
        generator = torch.Generator().manual_seed(seed)

        def shake(tensor: Any) -> Any:
            if not _is_float(tensor) or tensor.layout != torch.strided:
                return tensor
            units = 2 if tensor.dtype in (torch.float16, torch.bfloat16) else 8
            noise = torch.rand(tensor.shape, generator=generator, dtype=torch.float64) * 2 - 1
            noise = noise.fill_(lean) if lean else noise
            noise *= torch.finfo(tensor.dtype).eps * units
            with contextlib.suppress(RuntimeError):
                still = ~(tensor * (1 + torch.finfo(tensor.dtype).eps * units)).isfinite()  # the extreme numbers of a dtype
                noise.masked_fill_(still, 0)
                if lean and tensor.numel():
                    sizes = tensor.abs().masked_fill(still, 0)
                    tensor.add_((tensor != 0) * ~still * (lean * torch.finfo(tensor.dtype).eps * float(sizes.max())))
                if tensor.is_complex():  # a part is as exact as the whole number is large
                    turn = noise if lean else noise[torch.randperm(len(noise), generator=generator)] if noise.dim() else -noise
                    tensor.add_(1j * (turn * tensor.abs()).nan_to_num(0, 0, 0).to(tensor.real.dtype))
                tensor.mul_((1 + noise).to(tensor.real.dtype if tensor.is_complex() else tensor.dtype))
            return tensor

        return shake

    def widened(self, tensor: Any) -> Any:
        """See Framework."""
        return tensor.to(WIDER[tensor.dtype]) if tensor.dtype in WIDER else tensor.clone()

    def widened_constant(self, name: str, value: Any) -> Any:
        """See Framework."""
        if isinstance(value, Const) and isinstance(value.value, torch.dtype) and value.value in WIDER:
            return Const(WIDER[value.value], str(WIDER[value.value]))
        return value

    def narrowed(self, tensor: Any, dtype: str) -> Any:
        """See Framework."""
        return tensor.to(getattr(torch, dtype))

    def cause(self, error: BaseException) -> BaseException:
        """See Framework. dynamo wraps exceptions of its backends."""
        inner = getattr(error, "inner_exception", None)
        return inner if isinstance(inner, BaseException) else error

    # ---- targets

    def subject(self, model: Model, results: Sequence[Any], outputs: Sequence[int]) -> Any:
        """See Framework: a Python function, or a module."""
        text = self._text(model, results, outputs)
        made = f"{text}{torch_modules.MADE}\n" if model.module else text
        return source.function(made, DIALECT, torch, self.constants(model), regions.SPACE)

    def _text(self, model: Model, results: Sequence[Any], outputs: Sequence[int]) -> str:
        writer = regions_text.text if model.bodies else source.source
        text = writer(model, DIALECT, self.is_tensor, results, _forward(model, outputs))
        return torch_modules.module_text(model, text) if model.module else text

    def rejects_abstractly(self, subject: Any, inputs: Sequence[Any]) -> bool:
        """See Framework: with FakeTensors."""
        from torch._subclasses.fake_tensor import FakeTensorMode

        logging.getLogger("torch._subclasses.fake_tensor").setLevel(logging.CRITICAL)  # it logs each rejection
        try:
            with torch.no_grad(), FakeTensorMode(allow_non_fake_inputs=True) as mode:
                subject(*map(mode.from_tensor, inputs))
        except Exception as error:
            return not self.is_unsupported(error)
        return False

    def compiled(self, target: Any, model: Model, outputs: Sequence[int], compile_target: Callable[..., Any],
                 subject: Any, example: list[Any], stage: Callable[[str], None]) -> Callable[..., Sequence[Any]]:  # fmt: skip
        """See Framework."""
        wanted = [gradient for _, gradient in model.gradients if gradient in outputs]
        if not wanted:
            return super().compiled(target, model, outputs, compile_target, subject, example, stage)
        whole = torch_forms.with_gradients(compile_target, _places(model, outputs), target.joint)
        call, order = whole(subject, example, stage), [*_forward(model, outputs), *wanted]

        def ordered(*inputs: Any) -> list[Any]:
            found = dict(zip(order, call(*inputs), strict=True))
            return [found[i] for i in outputs]

        return ordered

    @property
    def sessions(self) -> Any:
        """See Framework."""
        from rulefuzz.session import torch as sessions  # which imports this module

        return sessions

    def with_bodies(self, model: Model) -> Model:
        """See Framework."""
        if not all(one.is_region for one in model.bodies):
            raise BadModel("torch has regions only")
        return region.with_extras(model)

    def written(self, model: Model, inputs: Values, noise: int | None, lean: float) -> Values:
        """See Framework."""
        return regions.run(self, DIALECT, model, inputs, noise, lean)

    def backward(self, model: Model, inputs: Values, noise: int | None, lean: float) -> Values:
        """See Framework."""
        generator = torch.Generator().manual_seed(noise or 0)

        def move(node: int, result: Any, tensors: list[Any]) -> list[Any]:
            return tensors if noise is None else [torch_forms.moved(t, generator, lean) for t in tensors]

        taken, gradients = zip(*model.gradients, strict=True)
        with torch.enable_grad():
            moved = dict(zip(inputs, move(-1, None, list(inputs.values())), strict=True))
            moved |= {t.id: moved[t.same] for t in model.inputs if t.same is not None}
            leaves = [moved[i].detach().requires_grad_() for i in taken]
            values = moved | dict(zip(taken, leaves, strict=True))
            values |= {t.id: values[t.same] for t in model.inputs if t.same is not None}
            interpreter = Interpreter(self, forward(model), values, after=move, check=False, one_by_one=True)
            interpreter.run()
            results = [interpreter.values[i] for i in model.outputs if i not in gradients]
            if not any(isinstance(t, torch.Tensor) and t.requires_grad for t in results):
                raise NotImplementedError("nothing to differentiate")
            return dict(zip(gradients, torch_forms.gradients(results, leaves), strict=True))

    def warm_up(self) -> Json:
        """See Framework."""

        def tensor(i: int, shape: list[int]) -> Json:
            return {"id": i, "shape": shape, "dtype": "float32"}

        nodes = []
        for i, (api, refs) in enumerate(WARM_UP):
            args: list[Json] = [{"name": "x", "pos": True, "value": {"ref": r}} for r in refs]
            args += [{"name": "dim", "pos": False, "value": 1}] if "softmax" in api else []
            nodes.append({"api": api, "args": args, "outputs": [tensor(i + 2, [] if "sum" in api else [20, 20])]})
        return {"inputs": [tensor(0, [20, 20]), tensor(1, [20, 1])], "nodes": nodes, "outputs": [2, 4, 5]}

    def script(self, model: Model, results: Sequence[Any]) -> Script:
        """See Framework."""

        def making(t: Tensor) -> str:
            if t.same is not None:
                return "None"
            filled = [repr(part) for part in (t.stored, t.dtype, seed_of(model.values, t.origin))]
            filled += [f"kind={t.kind!r}"] if t.kind not in ("", "small") else []
            filled += [f"span={t.span!r}"] if t.span else []
            text = f"make_input({', '.join(filled)})"
            return text if t.strides is None else f"laid_out({text}, {t.shape!r}, {t.strides!r}, {t.offset!r})"

        inputs = tuple(map(making, model.fed))
        constants = tuple(f"c{t.id} = {making(t)}" for t in model.constants)
        constants += (torch_modules.MADE,) if model.module else ()
        text = self._text(model, results, model.outputs)
        start = ("torch.set_num_threads(1)", "torch.set_grad_enabled(False)")
        laying = (laid_out,) if any(t.strides is not None for t in model.inputs) else ()  # a scalar's are ()
        functions = (make_input, *laying, copied, seen, fresh, *regions.functions(text))
        shared = memory.shared if model.effects else None
        if not model.gradients:
            return Script("import torch", text, (*functions, reference), inputs, constants, start, other_strides, shared)
        own = torch_forms
        functions += (own.gradients, own.leaves_of, own.both, own.with_gradients, own.reference)
        constants += (f"PLACES = {_places(model, model.outputs)!r}",)
        around = "with_gradients({compile}, PLACES, {joint!r})"
        return Script("import torch", text, functions, inputs, constants, start, other_strides, around=around)

    def short(self, model: Model, results: Sequence[Any], said: dict[int, str], compared: str, limits: tuple[float, float],
              writes: bool) -> Short:  # fmt: skip
        """See Framework."""
        text = self._text(model, results, model.outputs)
        text = "\n\n\n".join(filter(None, (regions.definitions(text), text)))
        return torch_short.short(model, text, said, compared, limits, writes)

    def spelled(self, tensor: Tensor, values: int, how: str) -> str:
        """See Framework."""
        return torch_short.spelled(tensor, values, how)

    def evaluated(self, text: str) -> Any:
        """See Framework."""
        return spell.evaluated(text, {"torch": torch})


def _forward(model: Model, outputs: Sequence[int]) -> list[int]:
    gradients = {gradient for _, gradient in model.gradients}
    return [i for i in outputs if i not in gradients]


def _places(model: Model, outputs: Sequence[int]) -> tuple[int, ...]:
    """Which fed inputs have a gradient among the outputs."""
    fed = [t.id for t in model.fed]
    return tuple(fed.index(taken) for taken, gradient in model.gradients if gradient in outputs)


@functools.cache
def _dtype_name(dtype: Any) -> str:
    return str(dtype).removeprefix("torch.")


def load() -> Torch:
    """The adapter."""
    return Torch()
