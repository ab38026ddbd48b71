"""Where PyTorch's calls come from: OpInfo samples and error inputs, and the module database.

An OpInfo whose name is a public function is symbolised straight from its samples. One that hides its call in a lambda
(methods such as expand, view) is run under a recorder, as are the modules; the recorder sees the outermost torch calls
and nothing below them.
"""

from __future__ import annotations

import inspect
import random
import re
import warnings
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import torch
from torch._jit_internal import boolean_dispatched
from torch.overrides import TorchFunctionMode, resolve_name
from torch.testing._internal.common_methods_invocations import op_db
from torch.testing._internal.common_modules import module_db

from traces.collect.symbolise import Call, Json, Literal, TensorSpec, Unsupported, dtypes, signature, symbolise

DTYPES = (torch.float32, torch.int64, torch.bool, torch.complex64)
"""The first that an OpInfo supports is the one whose samples become records; the others' mixtures of dtypes (an index
beside a float) are candidates for the table of dtypes."""

SKIPPED = (
    (re.compile(r"(^|\.)_[^_]"), "internal: the name begins with an underscore"),
    (re.compile(r"\.jiterator|\.ops\."), "internal: not a public function"),
    (re.compile(r"__(get|set|delete|setitem)__$"), "a property, not a call"),
    (re.compile(r"[^_]_$"), "in place"),
    (re.compile(r"empty"), "its elements are not initialised"),
)
FIXED = {
    "movedim": frozenset({"source", "destination"}),
    "moveaxis": frozenset({"source", "destination"}),
    "tensorinv": frozenset({"ind"}),
}
"""Arguments that index dimensions though their names do not say so."""
OPAQUE = (torch.dtype, torch.layout, torch.memory_format, torch.device)


@dataclass
class Plan:
    """All that was found for one API, before any filter."""

    calls: list[Call] = field(default_factory=list)
    other_dtypes: dict[str, set[tuple[str, ...]]] = field(default_factory=lambda: defaultdict(set))
    dropped: Counter[tuple[str, str]] = field(default_factory=Counter)
    seen: set[tuple[str, object, bool]] = field(default_factory=set)

    def to_json(self) -> Json:
        """A form for a file; sorted."""
        return {
            "calls": [[c.args, c.values, c.source, c.expect_failure] for c in self.calls],
            "dtypes": {sig: sorted(tuples) for sig, tuples in sorted(self.other_dtypes.items())},
            "dropped": sorted([*key, count] for key, count in self.dropped.items()),
        }


GIVEN = 8
"""Elements up to which those of an integer tensor are told one by one."""


def _hints(value: torch.Tensor) -> tuple[Any, tuple[int, int] | None]:
    """The elements of a small tensor of integers, and the smallest and the largest + 1."""
    if value.dtype.is_floating_point or value.dtype.is_complex or value.dtype == torch.bool or value.device.type != "cpu":
        return None, None
    given = value.tolist() if value.dim() <= 2 and value.numel() <= GIVEN else None
    return given, (int(value.min()), int(value.max()) + 1) if value.numel() else (0, 0)


def plain(value: Any) -> Any:
    """A torch argument as the plain values that symbolise takes."""
    if isinstance(value, torch.Tensor):
        if value.layout != torch.strided or value.is_quantized or value.is_nested:
            raise Unsupported("an input is not a dense tensor")
        return TensorSpec(tuple(value.shape), str(value.dtype)[len("torch.") :], *_hints(value))
    if isinstance(value, OPAQUE):
        return Literal(repr(str(value)) if isinstance(value, torch.device) else str(value))
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    return value


# --- argument names -------------------------------------------------------------------------------------------------


def _kind(value: Any) -> str:
    if isinstance(value, torch.Tensor):
        return "Tensor"
    if isinstance(value, (list, tuple)):
        return "List"
    return {bool: "bool", int: "number", float: "number", complex: "number", str: "str", type(None): "None"}.get(
        type(value), "other"
    )


def _accepts(schema_type: str, kind: str) -> bool:
    optional = schema_type.startswith("Optional[")
    bare = schema_type[len("Optional[") : -1] if optional else schema_type
    if kind == "None":
        return optional
    if kind == "Tensor":
        return bare == "Tensor"
    if kind == "List":
        return bare.startswith("List[")
    if kind == "bool":
        return bare in ("bool", "number")
    if kind == "number":
        return bare in ("number", "int", "float", "Tensor") or bare.startswith(("List[int", "List[float"))
    return bare in ("str", "int", "number") or kind == "other"


def _schema_names(api: str, args: Sequence[Any], kwargs: dict[str, Any]) -> list[str] | None:
    """Names of the positional arguments by the first operator schema that takes such arguments."""
    parts = api.split(".")
    base = parts[-1] if parts[1] in ("nn", "Tensor") or len(parts) == 2 else f"{parts[1]}_{parts[-1]}"
    for name in (base, parts[-1]):
        for schema in torch._C._jit_get_schemas_for_operator(f"aten::{name}"):
            arguments = [a for a in schema.arguments if not a.is_out]
            names = [a.name for a in arguments]
            places = [a for a in arguments if not a.kwarg_only]
            if len(args) > len(places) or not set(kwargs) <= set(names) | {"input"}:
                continue
            if all(_accepts(str(a.type), _kind(v)) for a, v in zip(places, args, strict=False)):
                given = names[: len(args)]
                return ["input" if n == "self" and parts[1] != "Tensor" else n for n in given]
    return None


def _python_names(function: Any, count: int) -> list[str] | None:
    if inspect.isfunction(function):
        function = boolean_dispatched.get(function, {}).get("if_true", function)
    try:
        parameters = list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):
        return None
    names: list[str] = []
    for parameter in parameters:
        if parameter.kind == parameter.VAR_POSITIONAL:
            names += [f"{parameter.name}{i}" for i in range(count - len(names))]
        elif parameter.kind in (parameter.POSITIONAL_ONLY, parameter.POSITIONAL_OR_KEYWORD):
            names.append(parameter.name)
    return names[:count] if len(names) >= count else None


def name_arguments(api: str, function: Any, args: Sequence[Any], kwargs: dict[str, Any]) -> list[tuple[str, bool, Any]]:
    """The arguments as (name, positional, plain value); argN where nothing tells the name."""
    if api.startswith("torch.Tensor.") and len(args) > 2 and all(type(a) is int for a in args[1:]):
        folded = _schema_names(api, [args[0], list(args[1:])], kwargs)
        if folded is not None and _schema_names(api, args, kwargs) is None:  # x.view(2, 3): the same as x.view((2, 3))
            args = [args[0], list(args[1:])]
    names = _python_names(function, len(args)) or _schema_names(api, args, kwargs)
    if names is None:
        names = [f"arg{i}" for i in range(len(args))]
        if args and isinstance(args[0], torch.Tensor):
            names[0] = "self" if api.startswith("torch.Tensor.") else "input"
            if len(names) == 2 and api.endswith("__"):
                names[1] = "other"
    positional = [(name, True, plain(value)) for name, value in zip(names, args, strict=True)]
    return positional + [(name, False, plain(value)) for name, value in kwargs.items()]


# --- collection -----------------------------------------------------------------------------------------------------


class Collection:
    """Plans by API name."""

    def __init__(self) -> None:
        self.plans: dict[str, Plan] = defaultdict(Plan)

    def add(self, api: str, function: Any, args: Sequence[Any], kwargs: dict[str, Any], source: str, *,
            main: bool = True, failing: bool = False) -> None:  # fmt: skip
        """Symbolises a call into its API's plan; `main`: the samples of the dtype that becomes records."""
        plan = self.plans[api]
        for pattern, reason in SKIPPED:
            if pattern.search(api):
                plan.dropped[("", reason)] += main
                return
        if "out" in kwargs:
            plan.dropped[("", "writes to out=")] += main
            return
        try:
            arguments = name_arguments(api, function, args, kwargs)
            call = symbolise(api, arguments, FIXED.get(api.rsplit(".", 1)[-1], frozenset()))
        except Unsupported as error:
            if not failing:
                plan.dropped[("", str(error))] += main
            return
        call.source, call.expect_failure = source, failing
        text = signature(call.args)
        if not failing:
            plan.other_dtypes[text].add(dtypes(call.args))
        key = (signature(call.args, keep_floats=True), (call.values, dtypes(call.args)), failing)
        if main and key not in plan.seen:
            plan.seen.add(key)
            plan.calls.append(call)


class Recorder(TorchFunctionMode):
    """Adds every outermost public torch call to a collection."""

    def __init__(self, collection: Collection, source: str, main: bool) -> None:
        super().__init__()
        self._collection, self._source, self._main = collection, source, main

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        result = func(*args, **(kwargs or {}))
        api = resolve_name(func)
        api = api.replace("torch.functional.", "torch.") if isinstance(api, str) else ""
        if api.startswith("torch.") and _lookup(api) is not None:
            self._collection.add(api, func, args, kwargs or {}, self._source, main=self._main)
        return result


def _lookup(api: str) -> Any:
    value: Any = torch
    for name in api.split(".")[1:]:
        value = getattr(value, name, None)
    return value if callable(value) else None


def _forms(op: Any) -> Iterator[tuple[str, Any, bool]]:
    """The (API name, callable, is a method) under which an OpInfo's samples can be called directly."""
    names = [(op.name, op.op, op.method_variant)]
    names += [(alias.name, alias.op, alias.method_variant) for alias in op.aliases]
    for full_name, function, method in names:
        name = full_name.removeprefix("torch.")
        found = _lookup(f"torch.{name}")
        if found is not None and found is function:
            yield f"torch.{name}", function, False
        if method is not None:
            method_name = getattr(method, "__name__", "")
            if getattr(torch.Tensor, method_name, None) is method:
                yield f"torch.Tensor.{method_name}", method, True
        elif getattr(torch.Tensor, name, None) is function and function is not None:
            yield f"torch.Tensor.{name}", function, True


def _seed() -> None:
    torch.manual_seed(1)
    random.seed(1)


def _samples(make: Callable[[], Any]) -> list[Any]:
    _seed()
    try:
        return list(make())
    except Exception:  # a generator of samples that does not serve this dtype or device
        return []


def _opinfo(collection: Collection, op: Any) -> None:
    supported = [dtype for dtype in DTYPES if dtype in op.supported_dtypes("cpu")]
    forms = list(_forms(op))
    for dtype in supported:
        main = dtype == supported[0]
        samples = _samples(partial(op.sample_inputs, "cpu", dtype, requires_grad=False))
        errors = _samples(partial(op.error_inputs, "cpu")) if main else []
        for sample in samples:
            _sample(collection, op, forms, sample, "opinfo", main=main)
        for error in errors:
            for api, function, is_method in forms:
                sample = error.sample_input
                if not is_method or isinstance(sample.input, torch.Tensor):
                    arguments = (sample.input, *sample.args)
                    collection.add(api, function, arguments, sample.kwargs, "opinfo-error", failing=True)


def _sample(collection: Collection, op: Any, forms: Sequence[tuple[str, Any, bool]], sample: Any, source: str, *,
            main: bool) -> None:  # fmt: skip
    arguments = (sample.input, *sample.args)
    for api, function, is_method in forms:
        if not is_method or isinstance(sample.input, torch.Tensor):
            collection.add(api, function, arguments, sample.kwargs, source, main=main)
    if not any(api == f"torch.{op.name}" for api, _, _ in forms):
        try:
            with Recorder(collection, source, main):
                op.op(*arguments, **sample.kwargs)
        except Exception:  # the recorder has what came before; a sample that its own operator rejects is no record
            return


def _modules(collection: Collection) -> None:
    for info in module_db:
        for training in (False, True):
            make = partial(info.module_inputs_func, info, device="cpu", dtype=torch.float32, requires_grad=False)
            for item in _samples(partial(make, training=training)):
                built, forward = item.constructor_input, item.forward_input
                try:
                    module = info.module_cls(*built.args, **built.kwargs).train(training)
                    with Recorder(collection, "modules", True):
                        module(*forward.args, **forward.kwargs)
                except Exception:  # as above
                    continue


def collect(report: Callable[[int, int], None]) -> dict[str, Json]:
    """Everything torch's own tests call, by API, symbolised."""
    warnings.simplefilter("ignore")
    torch.set_num_threads(1)
    collection = Collection()
    with torch.no_grad():
        for done, op in enumerate(op_db):
            report(done, len(op_db))
            if not op.name.startswith("jiterator"):
                _opinfo(collection, op)
        _modules(collection)
    return {api: plan.to_json() for api, plan in sorted(collection.plans.items())}
