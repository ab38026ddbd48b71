"""The targets: compilers and runtimes that are compared with a framework's reference. One file each, found by name.

docs/guides/add-a-backend.md specifies a target's file: FRAMEWORK, REQUIRES, compile, a docstring, and optional
names.
"""

from __future__ import annotations

import contextlib
import functools
import importlib
import importlib.metadata
import os
import pkgutil
import re
import shutil
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from types import ModuleType
from typing import Any

from rulefuzz.framework import Unavailable

Stage = Callable[[str], None]
"""Called when a target goes from compiling ("compile") to running ("run")."""


@dataclass(frozen=True)
class Dynamic:
    """How a target compiles a model once for several shapes: DYNAMIC in its file."""

    plain: tuple[str, ...]
    """As PLAIN; `first`, inputs of another shape to be run before, is defined as well."""
    compile: Callable[..., Callable[..., Sequence[Any]]] | None = None
    """As a target's `compile`, with the names of the inputs' dimensions after `stage` ("" for static ones). The result may
    count compilations in `compilations()`. None: `compile` itself handles named dimensions."""
    needs: tuple[Callable[..., Any], ...] = ()
    """Functions of the file that it calls, which scripts copy."""
    refuses: tuple[str, ...] = ()
    """Parts of messages, or exception types, that mean that only one shape is supported."""


@dataclass(frozen=True)
class Target:
    """A target, by its name on the command line."""

    name: str
    module: ModuleType
    settings: tuple[tuple[str, str], ...] = ()
    """Settings that are not the default, all of the table in `configuration`."""

    @functools.cached_property
    def configuration(self) -> ModuleType | None:
        """The module of its settings, if it has any."""
        with contextlib.suppress(ModuleNotFoundError):
            return importlib.import_module(f"rulefuzz.settings.{self.name.replace('-', '_')}")
        return None

    def given(self, settings: Sequence[tuple[str, str]]) -> Target:
        """The target with the settings that it knows."""
        known = self.configuration.SETTINGS if self.configuration else {}
        chosen = tuple((name, value) for name, value in settings if value in known.get(name, ()))
        return replace(self, settings=chosen) if chosen != self.settings else self

    @property
    def one_shape(self) -> bool:
        """Whether its settings fix the shapes of the first inputs."""
        return any(name in getattr(self.configuration, "ONE_SHAPE", ()) for name, _ in self.settings)

    def plain(self, dynamic: bool) -> tuple[str, ...]:
        """How a short script calls it: PLAIN, or DYNAMIC's, or what its settings need."""
        if self.settings and self.configuration:
            return tuple(self.configuration.plain(self.settings, dynamic and not self.one_shape))
        return self.dynamic.plain if dynamic and self.dynamic else tuple(getattr(self.module, "PLAIN", ()))

    @property
    def framework(self) -> str:
        """The framework whose models it compiles."""
        return str(self.module.FRAMEWORK)

    def compile(self, subject: Any, example: Sequence[Any], stage: Stage) -> Callable[..., Sequence[Any]]:
        """Compiles a model to a function from its inputs to its outputs."""
        compiled: Callable[..., Sequence[Any]] = self.module.compile(subject, example, stage, *self._configured())
        return compiled

    def _configured(self) -> tuple[Callable[..., Any], ...]:
        """The last argument of `compile` if there are settings: the function that applies them."""
        settings = self.configuration
        return (functools.partial(settings.configure, self.settings),) if self.settings and settings else ()

    @property
    def needs(self) -> tuple[Callable[..., Any], ...]:
        """Functions that `compile` calls, which scripts copy."""
        return (*getattr(self.module, "NEEDS", ()), *self.configuring)

    @property
    def configuring(self) -> tuple[Callable[..., Any], ...]:
        """The function that applies its settings, if there are any."""
        return (self.configuration.configure,) if self.settings and self.configuration else ()

    @property
    def dynamic(self) -> Dynamic | None:
        """How it compiles for several shapes, if it can."""
        found = getattr(self.module, "DYNAMIC", None)
        assert found is None or isinstance(found, Dynamic)
        return found

    def compile_dynamic(
        self, subject: Any, example: Sequence[Any], stage: Stage, dims: Sequence[Sequence[str]]
    ) -> Callable[..., Sequence[Any]]:
        """As `compile`, for inputs of several shapes."""
        assert self.dynamic
        once = self.dynamic.compile
        return once(subject, example, stage, dims, *self._configured()) if once else self.compile(subject, example, stage)

    def refuses_dynamic(self, error: BaseException) -> bool:
        """Whether an error means that it supports only one shape."""
        said = f"{type(error).__name__}: {error}"
        return self.refuses(error) or any(part in said for part in (self.dynamic.refuses if self.dynamic else ()))

    @property
    def strides(self) -> bool:
        """Whether its outputs must have the reference's strides."""
        loose = getattr(self.configuration, "LOOSE", {}) if self.settings else {}
        return bool(getattr(self.module, "STRIDES", False)) and not any(v in loose.get(name, ()) for name, v in self.settings)

    @property
    def session(self) -> Callable[..., Any] | None:
        """How it compiles a program that is called several times, if it can: SESSION in its file."""
        found: Callable[..., Any] | None = getattr(self.module, "SESSION", None)
        return found

    @property
    def joint(self) -> bool:
        """Whether gradients are computed inside the compiled function, rather than by differentiating it."""
        return bool(getattr(self.module, "JOINT", False))

    @property
    def abstract(self) -> bool:
        """Whether it rejects a call whose shapes and dtypes alone are rejected, before it compiles anything."""
        return bool(getattr(self.module, "ABSTRACT", False))

    @property
    def batch(self) -> int:
        """How many models it compiles as one; 1: each alone."""
        return int(getattr(self.module, "BATCH", 1))

    def together(self) -> contextlib.AbstractContextManager[Any]:
        """A context for compiling and running several models as one, if that is faster. `duplicate` of its value, if it has
        one, is true if that raised because their graph, apart from sizes, was compiled before."""
        context: contextlib.AbstractContextManager[Any] = getattr(self.module, "together", contextlib.nullcontext)()
        return context

    def prepare(self) -> dict[str, str]:
        """Checks once, before any compilation, that all requirements are installed, in any version. Returns the installed
        versions beside the framework's. Raises Unavailable."""
        missing = [need for need in self.module.REQUIRES if not _is_installed(need)]
        if missing:
            found = [plain_name(need) for need in missing]
            verb = "is" if len(found) == 1 else "are"
            packages = [need for need in found if ":" not in need]
            raise Unavailable(f"{self.name} needs {', '.join(found)}, which {verb} not installed", packages)
        sys.modules.setdefault("openvino_telemetry", None)  # type: ignore[arg-type]  # reports OpenVINO's use; has no switch
        for name in getattr(self.module, "IMPORTS", ()):
            importlib.import_module(name)
        pinned = [plain_name(need) for need in self.module.REQUIRES if "==" in need]
        own = {name: importlib.metadata.version(name).partition("+")[0] for name in pinned}
        return own | dict(getattr(self.module, "prepare", dict)())

    @property
    def is_slow(self) -> bool:
        """Whether `warm` takes long, so that other targets should not wait for it."""
        return hasattr(self.module, "warm")

    def warm(self) -> None:
        """Prepares the parts that all its compilations share; once, before the first."""
        getattr(self.module, "warm", lambda: None)()

    def enter(self, folder: str) -> None:
        """Called once in a new process. The folder is for files of the compiler and is removed when the process ends."""
        getattr(self.module, "enter", lambda folder: None)(folder)

    def refuses(self, error: BaseException) -> bool:
        """Whether an error means, in the target's own words, that the model is not supported."""
        return any(part in str(error) for part in getattr(self.module, "UNSUPPORTED", ()))

    def presumed(self, compiled: Callable[..., Sequence[Any]]) -> list[list[int | None] | None]:
        """The dimensions that it expects of its results, if known."""
        found: list[list[int | None] | None] = getattr(self.module, "presumed", lambda compiled: [])(compiled)
        return found

    @property
    def scalars(self) -> bool:
        """Whether it distinguishes shape () from (1,)."""
        return bool(getattr(self.module, "SCALARS", True))

    @property
    def narrow(self) -> bool:
        """Whether it computes all integers in 32 bits."""
        return bool(getattr(self.module, "NARROW", False))

    @property
    def casts(self) -> bool:
        """Whether it carries out every cast of the model. Others may remove pairs of casts by design."""
        return bool(getattr(self.module, "CASTS", False))

    @contextlib.contextmanager
    def without(self, names: Iterable[str]) -> Iterator[None]:
        """Disables these passes in the block, beside those already disabled, for a target that has WITHOUT."""
        variable = self.module.WITHOUT
        before = os.environ.get(variable)
        os.environ[variable] = ",".join(filter(None, (before, *names)))
        try:
            yield
        finally:
            del os.environ[variable]
            os.environ.update({} if before is None else {variable: before})

    @property
    def approximates(self) -> frozenset[str]:
        """Operations whose float results are approximations by design, within NeuRI's tolerance."""
        return frozenset(getattr(self.module, "APPROXIMATES", ()))

    @property
    def may_differ(self) -> bool:
        """Whether the warm-up may differ: for targets that are broken on purpose."""
        return bool(getattr(self.module, "MAY_DIFFER", False))

    @property
    def environment(self) -> tuple[str, ...]:
        """The environment variables that change its behavior; repro scripts set them."""
        return tuple(getattr(self.module, "ENVIRONMENT", ()))


def plain_name(need: str) -> str:
    """A requirement without its version: a program, "program:g++", or a distribution by its name on PyPI."""
    return re.split(r"[^A-Za-z0-9._:+-]", need)[0]


def _is_installed(need: str) -> bool:
    """Whether a requirement is installed, in any version."""
    kind, _, program = need.partition(":")
    if kind == "program":
        return shutil.which(program) is not None
    try:
        importlib.metadata.version(plain_name(need))
    except importlib.metadata.PackageNotFoundError:
        return False
    return True


def names() -> list[str]:
    """All names, sorted."""
    return sorted(info.name.replace("_", "-") for info in pkgutil.iter_modules(__path__))


def load(name: str) -> Target:
    """Loads the target of that name. Raises Unavailable."""
    if name not in names():
        raise Unavailable(f"unknown target {name!r}; there are {', '.join(names())}")
    return Target(name, importlib.import_module(f"rulefuzz.targets.{name.replace('-', '_')}"))
