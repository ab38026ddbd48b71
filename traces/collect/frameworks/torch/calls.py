"""Collections of calls: the symbolized calls of each API, and the recorder of the calls of running code."""

from __future__ import annotations

import importlib
import inspect
import re
import sys
from collections import defaultdict
from collections.abc import Callable, Sequence
from typing import Any

import torch
from torch.overrides import TorchFunctionMode, get_testing_overrides, resolve_name

from traces.collect.call.spec import Call, Json, Unsupported
from traces.collect.call.symbolise import symbolise
from traces.collect.frameworks.torch.names import name_arguments
from traces.collect.records.plan import Plan

SKIPPED = (
    (re.compile(r"(^|\.)_[^_]"), "internal: the name begins with an underscore"),
    (re.compile(r"\.jiterator|\.ops\."), "internal: not a public function"),
    (re.compile(r"\.lu_unpack$"), "overwrites memory on inputs that it should reject"),
    (re.compile(r"__(get|set|delete|setitem)__$"), "a property, not a call"),
    (re.compile(r"\.(set|share_memory|requires_grad|apply|map2?|resize\w*|sparse_resize\w*)_$"),
     "changes more of its tensor than the elements"),
)
FIXED = {
    "movedim": frozenset({"source", "destination"}),
    "moveaxis": frozenset({"source", "destination"}),
    "tensorinv": frozenset({"ind"}),
}
"""Arguments that index dimensions in spite of their names."""


IN_PLACE = re.compile(r"[^_]_$")
SECONDARY = frozenset({"docs", "twin", "probe"})
"""Sources of APIs that no test calls: fewer records are kept of these, and of in-place variants."""


LEAN = {"operators": 3, "records": 40, "trials": 200}
"""Limits for a variant (in place, as an operator) of a function that has records of its own; see Settings.limited."""


class TorchPlan(Plan):
    """All calls found for one API, unfiltered, and whether few are kept."""

    def to_json(self) -> Json:
        """See Plan."""
        lean = all(call.source in SECONDARY or IN_PLACE.search(call.api) for call in self.calls)
        return {**super().to_json(), "limits": LEAN if lean else {}}


class Collection:
    """Plans by API name."""

    def __init__(self) -> None:
        self.plans: dict[str, Plan] = defaultdict(TorchPlan)

    def add(self, api: str, function: Any, args: Sequence[Any], kwargs: dict[str, Any], source: str, *,
            main: bool = True, failing: bool = False) -> None:  # fmt: skip
        """Symbolizes a call into its API's plan. `main`: the dtype whose samples become records."""
        call = self.symbolised(api, function, args, kwargs, main and not failing)
        if call is not None:
            self.keep(Call(api, call.args, call.values, source, failing), main=main)

    def symbolised(self, api: str, function: Any, args: Sequence[Any], kwargs: dict[str, Any],
                   count: bool) -> Call | None:  # fmt: skip
        """The call, or None if a record cannot hold it; the reason is counted if `count`."""
        reason = next((reason for pattern, reason in SKIPPED if pattern.search(api)), "")
        if not reason and "out" in kwargs:
            reason = "writes to out="
        if not reason:
            try:
                arguments = name_arguments(api, function, args, kwargs)
                return symbolise(api, arguments, FIXED.get(api.rsplit(".", 1)[-1], frozenset()))
            except Unsupported as error:
                reason = str(error)
        self.plans[api].dropped[("", reason)] += count
        return None

    def keep(self, call: Call, *, main: bool = True) -> None:
        """Adds a call to its API's plan."""
        self.plans[call.api].add(call, main=main)

    def has(self, api: str) -> bool:
        """True if the source saw a call of this API run."""
        return api in self.plans and any(not call.expect_failure for call in self.plans[api].calls)

    def to_json(self) -> Json:
        """All plans, sorted."""
        return {api: plan.to_json() for api, plan in sorted(self.plans.items())}

    def merge(self, found: Json, wanted: Callable[[str], bool] = lambda api: True) -> None:
        """Adds another process's calls of the wanted APIs."""
        for api, entry in found.items():
            if wanted(api):
                for args, values, source, failing in entry["calls"]:
                    self.keep(Call(api, args, tuple(values), source, failing))


LARGEST = 1 << 14
"""A recorded call with a larger tensor is dropped if another one will do."""


class Recorder(TorchFunctionMode):  # type: ignore[misc]
    """Adds every outermost public torch call that returns to a collection."""

    def __init__(self, collection: Collection, source: str, main: bool, largest: int = sys.maxsize) -> None:
        super().__init__()
        self._collection, self._source, self._main, self._largest = collection, source, main, largest

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        kwargs = kwargs or {}
        api = resolve_name(func)
        api = api.replace("torch.functional.", "torch.") if isinstance(api, str) else ""
        call = None
        if api.startswith("torch.") and lookup(api) is not None and not large((args, kwargs), self._largest):
            call = self._collection.symbolised(api, func, args, kwargs, self._main)  # an in-place call changes them
        result = func(*args, **kwargs)
        if call is not None:
            call.source = self._source
            self._collection.keep(call, main=self._main)
        return result


def large(value: Any, most: int) -> bool:
    """True if an argument holds a tensor with more elements than that."""
    if isinstance(value, torch.Tensor):
        return value.layout == torch.strided and not value.is_nested and value.numel() > most
    if isinstance(value, dict):
        value = list(value.values())
    return isinstance(value, (list, tuple)) and any(large(item, most) for item in value)


def lookup(api: str) -> Any:
    """The callable of this public name, or None."""
    value: Any = torch
    for name in api.split(".")[1:]:
        value = getattr(value, name, None)
    return value if callable(value) else None


HOMES = ("torch", "torch.Tensor", "torch.nn.functional", "torch.linalg", "torch.fft", "torch.special",
         "torch.signal.windows", "torch.nn.init", "torch.masked")  # fmt: skip


def public_names() -> list[str]:
    """The functions and methods that users call, by dotted name, sorted."""
    names = {name for function in get_testing_overrides() if isinstance(name := resolve_name(function), str)}
    names = {name.replace("torch.functional.", "torch.") for name in names}
    for home in HOMES:
        names |= {f"{home}.{name}" for name in dir(lookup(home) or _module(home)) if not name.startswith("_")}
    return sorted(
        name
        for name in names
        if name.startswith("torch.")
        and lookup(name) is not None
        and not inspect.isclass(lookup(name))
        and not any(pattern.search(name) for pattern, _ in SKIPPED)
    )


def _module(name: str) -> Any:
    return importlib.import_module(name)
