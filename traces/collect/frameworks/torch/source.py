"""The sources of PyTorch's calls. First its own tests: OpInfo samples, reference and error inputs, and the module database.
APIs that these do not call get calls from docstrings (`docs`), from another variant of the same function (`twins`), or
from trying arguments (`probe`).

An OpInfo whose name is a public function is symbolized directly from its samples. One that hides its call in a lambda
(methods such as expand, view) runs under a recorder, as do the modules. The recorder sees the outermost torch calls and
nothing below them.
"""

from __future__ import annotations

import random
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from itertools import islice
from typing import Any

import torch
from torch.testing._internal.common_methods_invocations import op_db
from torch.testing._internal.common_modules import module_db

from traces.collect.call.spec import Json
from traces.collect.frameworks.torch import docs as torch_docs
from traces.collect.frameworks.torch import probe as torch_probe
from traces.collect.frameworks.torch import twins as torch_twins
from traces.collect.frameworks.torch.calls import Collection, Recorder, large, lookup
from traces.collect.frameworks.torch.sizes import Sample, spread

DTYPES = (torch.float32, torch.int64, torch.bool, torch.complex64)
"""The first dtype that an OpInfo supports gives the records; samples of the others with mixed dtypes (an index beside a
float) are candidates for the table of dtypes."""
REFERENCES, SMALL, ROUNDS = 60, 4096, 4
"""Limits: reference inputs per operator, elements per tensor of these, rounds of modules with other sizes."""


def _forms(op: Any) -> Iterator[tuple[str, Any, bool]]:
    """The (API name, callable, is a method) under which an OpInfo's samples can be called directly."""
    names = [(op.name, op.op, op.method_variant)]
    names += [(alias.name, alias.op, alias.method_variant) for alias in op.aliases]
    for full_name, function, method in names:
        name = full_name.removeprefix("torch.")
        found = lookup(f"torch.{name}")
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
    except Exception:  # a sample generator that does not support this dtype or device
        return []


def _references(op: Any, dtype: torch.dtype) -> Iterator[Any]:
    return islice(op.reference_inputs("cpu", dtype), REFERENCES)


def _opinfo(collection: Collection, op: Any) -> None:
    supported = [dtype for dtype in DTYPES if dtype in op.supported_dtypes("cpu")]
    forms = list(_forms(op))
    for dtype in supported:
        main = dtype == supported[0]
        samples = _samples(partial(op.sample_inputs, "cpu", dtype, requires_grad=False))
        references = _samples(partial(_references, op, dtype)) if main else []
        samples += [sample for sample in references if not large((sample.input, sample.args, sample.kwargs), SMALL)]
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
        except Exception:  # the recorder has the calls before it; a sample that its own operator rejects is not a record
            return


def _module_samples(info: Any, *, training: bool) -> Iterator[Sample]:
    make = partial(info.module_inputs_func, info, device="cpu", dtype=torch.float32, requires_grad=False)
    for item in _samples(partial(make, training=training)):
        built, forward = item.constructor_input, item.forward_input
        yield Sample((built.args, built.kwargs), (forward.args, forward.kwargs))


def _made(info: Any, sample: Sample, *, training: bool) -> Any:
    args, kwargs = sample.constructor
    _seed()
    return info.module_cls(*args, **kwargs).train(training)


def _record(collection: Collection, info: Any, sample: Sample, *, training: bool) -> None:
    args, kwargs = sample.forward
    with suppress(Exception):  # as above
        module = _made(info, sample, training=training)
        with Recorder(collection, "modules", True):
            module(*args, **kwargs)


def _modules(collection: Collection) -> None:
    for info in module_db:
        for training in (False, True):
            for sample in _module_samples(info, training=training):
                _record(collection, info, sample, training=training)


def _runs_alike(info: Any, parameters: int, sample: Sample) -> bool:
    args, kwargs = sample.forward
    try:
        module = _made(info, sample, training=False)
        module(*args, **kwargs)
    except Exception:  # sizes that do not fit together
        return False
    return len(list(module.parameters())) == parameters


def _spread_modules(collection: Collection) -> None:
    """Modules with distinct sizes, in several rounds."""
    for info in module_db:
        for sample in _module_samples(info, training=False):
            try:
                parameters = len(list(_made(info, sample, training=False).parameters()))
            except Exception:  # as above
                continue
            for first in range(ROUNDS):
                found = spread(sample, partial(_runs_alike, info, parameters), first)
                if found is not None:
                    _record(collection, info, found, training=False)
                    _record(collection, info, found, training=True)


def collect(report: Callable[[int, int], None]) -> dict[str, Json]:
    """All calls that the sources have, by API, symbolised."""
    warnings.simplefilter("ignore")
    torch.set_num_threads(1)
    collection = Collection()
    with torch.no_grad():
        for done, op in enumerate(op_db):
            report(done, len(op_db))
            if not op.name.startswith("jiterator"):
                _opinfo(collection, op)
        _modules(collection)
        _spread_modules(collection)
        torch_docs.add_examples(collection, report)
        torch_twins.add_twins(collection)
        torch_probe.add_probes(collection, report)
    return dict(collection.to_json())
