"""The targets: what compiles or runs a model in another way than its framework's reference. One file each, found by name.

docs/guides/add-a-backend.md says what a file has: FRAMEWORK, REQUIRES, compile, a docstring, and what else it may have.
"""

from __future__ import annotations

import importlib
import importlib.metadata
import pkgutil
import re
import shutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from types import ModuleType
from typing import Any

from rulefuzz.framework import Unavailable

Stage = Callable[[str], None]
"""Called when a target goes from compiling ("compile") to running ("run") what it compiled."""


@dataclass(frozen=True)
class Dynamic:
    """How a target compiles a model once for several shapes: DYNAMIC in its file."""

    plain: tuple[str, ...]
    """As PLAIN, after which there is also `first`: inputs of another shape, to be run before."""
    compile: Callable[..., Callable[..., Sequence[Any]]] | None = None
    """As a target's `compile`, with the names of the inputs' dimensions behind `stage`, "" for those that do not vary; what it
    returns may tell by `compilations()` how often it compiled. None: `compile` itself takes models with named dimensions."""
    needs: tuple[Callable[..., Any], ...] = ()
    """What it calls of its own file, which scripts copy as well."""
    refuses: tuple[str, ...] = ()
    """Parts of messages, or types of exceptions, that say that the model holds for one shape only."""


@dataclass(frozen=True)
class Target:
    """One, by the name that users write."""

    name: str
    module: ModuleType

    @property
    def framework(self) -> str:
        """Whose models it takes."""
        return str(self.module.FRAMEWORK)

    def compile(self, subject: Any, example: Sequence[Any], stage: Stage) -> Callable[..., Sequence[Any]]:
        """A function of the model's inputs that returns its outputs."""
        compiled: Callable[..., Sequence[Any]] = self.module.compile(subject, example, stage)
        return compiled

    @property
    def needs(self) -> tuple[Callable[..., Any], ...]:
        """What `compile` calls and scripts copy as well."""
        return tuple(getattr(self.module, "NEEDS", ()))

    @property
    def dynamic(self) -> Dynamic | None:
        """How it compiles once for several shapes, if it can."""
        found = getattr(self.module, "DYNAMIC", None)
        assert found is None or isinstance(found, Dynamic)
        return found

    def compile_dynamic(
        self, subject: Any, example: Sequence[Any], stage: Stage, dims: Sequence[Sequence[str]]
    ) -> Callable[..., Sequence[Any]]:
        """As `compile`, for inputs of several shapes."""
        assert self.dynamic
        once = self.dynamic.compile
        return once(subject, example, stage, dims) if once else self.compile(subject, example, stage)

    def refuses_dynamic(self, error: BaseException) -> bool:
        """Whether an error says that it cannot do this for more than one shape."""
        said = f"{type(error).__name__}: {error}"
        return self.refuses(error) or any(part in said for part in (self.dynamic.refuses if self.dynamic else ()))

    @property
    def strides(self) -> bool:
        """Whether its outputs are to have the reference's strides."""
        return bool(getattr(self.module, "STRIDES", False))

    @property
    def joint(self) -> bool:
        """Whether gradients are computed within the function that it compiles; else what it compiled is differentiated."""
        return bool(getattr(self.module, "JOINT", False))

    @property
    def batch(self) -> int:
        """How many models at a time it compiles as one where it is given as many; 1: each alone."""
        return int(getattr(self.module, "BATCH", 1))

    def variant(self, example: Sequence[Any]) -> Any:
        """What of its settings depends on the inputs: only models of the same variant are compiled as one."""
        return getattr(self.module, "variant", lambda example: None)(example)

    def compile_together(
        self, subject: Any, example: Sequence[Any], stage: Stage, variant: Any
    ) -> Callable[..., Sequence[Any]]:
        """As `compile`, of several models in one: faster where it can."""
        compiled: Callable[..., Sequence[Any]] = self.module.compile_together(subject, example, stage, variant)
        return compiled

    def prepare(self) -> dict[str, str]:
        """Checks once, before any compilation, that all requirements are installed, in any version. Returns the installed
        versions beside the framework's. Raises Unavailable."""
        missing = [need for need in self.module.REQUIRES if not _is_installed(need)]
        if missing:
            found = [plain_name(need) for need in missing]
            verb = "is" if len(found) == 1 else "are"
            packages = [need for need in found if ":" not in need]
            raise Unavailable(f"{self.name} needs {', '.join(found)}, which {verb} not installed", packages)
        for name in getattr(self.module, "IMPORTS", ()):
            importlib.import_module(name)
        pinned = [plain_name(need) for need in self.module.REQUIRES if "==" in need]
        own = {name: importlib.metadata.version(name).partition("+")[0] for name in pinned}
        return own | dict(getattr(self.module, "prepare", dict)())

    def enter(self, folder: str) -> None:
        """Called once in a new process; the folder is for what compiling leaves, and goes when the process ends."""
        getattr(self.module, "enter", lambda folder: None)(folder)

    def refuses(self, error: BaseException) -> bool:
        """Whether an error says, in words of this target's own, that it cannot do this."""
        return any(part in str(error) for part in getattr(self.module, "UNSUPPORTED", ()))

    def presumed(self, compiled: Callable[..., Sequence[Any]]) -> list[list[int | None] | None]:
        """What dimensions it takes the results of what it compiled to have, where it says."""
        found: list[list[int | None] | None] = getattr(self.module, "presumed", lambda compiled: [])(compiled)
        return found

    @property
    def scalars(self) -> bool:
        """Whether it tells a tensor without dimensions from one of one element in one."""
        return bool(getattr(self.module, "SCALARS", True))

    @property
    def narrow(self) -> bool:
        """Whether it keeps integers in 32 bits, whatever type they have."""
        return bool(getattr(self.module, "NARROW", False))

    @property
    def approximates(self) -> frozenset[str]:
        """Operations whose results of floats are approximations by design, good to NeuRI's tolerance."""
        return frozenset(getattr(self.module, "APPROXIMATES", ()))

    @property
    def may_differ(self) -> bool:
        """Whether a difference in the warm-up is as it should be: of targets that are broken on purpose."""
        return bool(getattr(self.module, "MAY_DIFFER", False))

    @property
    def environment(self) -> tuple[str, ...]:
        """The environment variables that change what it does; a repro script sets them as they are."""
        return tuple(getattr(self.module, "ENVIRONMENT", ()))


def plain_name(need: str) -> str:
    """A requirement without its version: a program, "program:g++", or a distribution as pip names it."""
    return re.split(r"[^A-Za-z0-9._:+-]", need)[0]


def _is_installed(need: str) -> bool:
    """Whether a requirement is there, in any version."""
    kind, _, program = need.partition(":")
    if kind == "program":
        return shutil.which(program) is not None
    try:
        importlib.metadata.version(plain_name(need))
    except importlib.metadata.PackageNotFoundError:
        return False
    return True


def names() -> list[str]:
    """All there are, sorted."""
    return sorted(info.name.replace("_", "-") for info in pkgutil.iter_modules(__path__))


def load(name: str) -> Target:
    """The target of that name. Raises Unavailable."""
    if name not in names():
        raise Unavailable(f"unknown target {name!r}; there are {', '.join(names())}")
    return Target(name, importlib.import_module(f"rulefuzz.targets.{name.replace('-', '_')}"))
