"""The frameworks that can be collected. Each has an adapter and a source: FRAMEWORK/adapter.py and FRAMEWORK/source.py."""

from __future__ import annotations

import functools
import importlib
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from types import ModuleType

from rulefuzz import sandbox, table
from traces.collect.call.spec import Json
from traces.collect.judge.framework import Framework
from traces.collect.judge.trying import Trying
from traces.collect.judge.workers import LIMITS
from traces.collect.records.settings import Budget, Settings
from traces.collect.values.variants import Looking

NAMES = tuple(table.frameworks())

Report = Callable[[int, int], None]
"""Progress callback: done, total."""


def module(name: str, part: str) -> str:
    """The name of a part of a framework."""
    return f"traces.collect.frameworks.{name}.{part}"


def _module(name: str, part: str) -> ModuleType:
    return importlib.import_module(module(name, part))


@functools.cache
def load(name: str) -> Framework:
    """The framework's adapter, one per process and its children; ImportError if the framework is not installed."""
    framework: Framework = _module(name, "adapter").load()
    return framework


@functools.cache
def looking(name: str) -> Looking:
    """The framework's adapter for `values`, which fills by tokens and returns observations; ImportError as above."""
    framework: Looking = _module(name, "values").load()
    return framework


def fragile(name: str) -> frozenset[str]:
    """APIs whose calls overwrite memory or crash at random: each call needs its own process."""
    return frozenset(_module(name, "adapter").FRAGILE)


def limits(name: str) -> sandbox.Limits:
    """Limits of a worker of the framework."""
    return replace(LIMITS, memory=getattr(_module(name, "adapter"), "MEMORY", LIMITS.memory))


def trying(name: str) -> Trying:
    """The dtypes that calls of the framework are tried with."""
    found: Trying = getattr(_module(name, "adapter"), "TRYING", Trying())
    return found


def settings(name: str, seed: int, trials: int | None) -> Settings:
    """Settings of a run: the framework's own, with `trials` mutants per operator if given."""
    own: Settings = getattr(_module(name, "adapter"), "SETTINGS", Settings(1, Budget()))
    budget = own.budget if trials is None else replace(own.budget, trials=trials)
    return replace(own, seed=seed, budget=budget)


def source(name: str) -> Callable[[Report], dict[str, Json]]:
    """Collects the symbolized calls of all APIs."""
    collect: Callable[[Report], dict[str, Json]] = _module(name, "source").collect
    return collect


def finish(name: str, framework: Framework, files: Sequence[Path], jobs: int) -> None:
    """Post-processing of newly collected record files, which some frameworks have."""
    last = getattr(_module(name, "adapter"), "LAST", "")
    if last:
        _module(name, last).judge_files(files, framework, jobs)
