"""Functions of other frameworks with the name of an operation, run in their own environment.

    peer.py FRAMEWORK

It reads pickled requests from standard input: an operation, arrays, constants by name, and the labels of the functions wanted
(None: all). The answer is the results of each by label. A function's label has its module and the way that constants are
passed.
"""

from __future__ import annotations

import contextlib
import importlib
import inspect
import os
import pickle
import subprocess
import sys
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

MODULES = {
    "numpy": ("numpy", "numpy.linalg", "numpy.fft", "scipy.special", "scipy.linalg"),
    "torch": ("torch", "torch.nn.functional", "torch.special", "torch.linalg", "torch.fft"),
    "jax": ("jax.numpy", "jax.lax", "jax.nn", "jax.scipy.special", "jax.numpy.linalg", "jax.numpy.fft"),
    "tensorflow": ("tensorflow.math", "tensorflow.nn", "tensorflow.raw_ops", "tensorflow.linalg", "tensorflow.signal"),
}
"""The modules of a framework's functions."""
CONVERTERS = {"torch": "from_numpy", "tensorflow": "convert_to_tensor"}
ONE_THREAD = {"OMP_NUM_THREADS": "1", "TF_CPP_MIN_LOG_LEVEL": "3", "JAX_PLATFORMS": "cpu"}
Answers = dict[str, list[Any] | None]


def plain(name: str) -> str:
    """A function's name in the form of operations."""
    return name.strip("_").replace("_", "").lower()


def part(name: str) -> Any:
    """A module, or an attribute that acts as one (tensorflow.math); None if it is not installed."""
    try:
        return importlib.import_module(name)
    except ImportError:
        owner, _, own = name.partition(".")
        return getattr(sys.modules.get(owner), own, None)


def functions(framework: str) -> dict[str, list[tuple[str, Callable[..., Any]]]]:
    """The functions of a framework's modules by plain name, with their own."""
    found: dict[str, list[tuple[str, Callable[..., Any]]]] = {}
    for name in MODULES[framework]:
        module = part(name)
        for member in dir(module) if module else ():
            value = None if member.startswith("_") else getattr(module, member, None)
            if callable(value) and not inspect.isclass(value):
                found.setdefault(plain(member), []).append((f"{name}.{member}", value))
    return found


def converter(framework: str) -> Callable[[Any], Any]:
    """The function that makes a framework's tensor from an array."""
    module: Any = importlib.import_module(framework)
    if framework == "jax":
        module.config.update("jax_enable_x64", True)
        module = importlib.import_module("jax.numpy")
    made: Callable[[Any], Any] = getattr(module, CONVERTERS.get(framework, "asarray"))
    return made


def ways(function: Callable[..., Any], constants: Mapping[str, Any]) -> Iterator[tuple[str, Sequence[Any], Mapping[str, Any]]]:
    """How constants may be passed: those whose names the function has, in order, or not."""
    try:
        known = inspect.signature(function).parameters
    except (TypeError, ValueError):
        known = {}  # type: ignore[assignment]
    named = {name: value for name, value in constants.items() if name in known}
    if named:
        yield "named", (), named
    if constants:
        yield "in order", tuple(constants.values()), {}
    yield "without", (), {}


def arrays_of(result: Any) -> list[Any]:
    """The arrays of a result."""
    if isinstance(result, (list, tuple)):
        return [array for item in result for array in arrays_of(item)]
    array = np.asarray(result.detach() if hasattr(result, "detach") else result)
    if array.dtype.kind not in "fciub":
        raise TypeError(f"elements of {array.dtype}")
    return [array]


def answers(found: Sequence[tuple[str, Callable[..., Any]]], convert: Callable[[Any], Any], arrays: Sequence[Any],
            constants: Mapping[str, Any], wanted: Sequence[str] | None) -> Answers:  # fmt: skip
    """The results of each function and way."""
    made: Answers = {}
    for name, function in found:
        for how, more, named in ways(function, constants):
            label = f"{name} {how}"
            if wanted is not None and label not in wanted:
                continue
            try:
                made[label] = arrays_of(function(*(convert(array.copy()) for array in arrays), *more, **named))
            except Exception:
                made[label] = None
    return made


class Peer:
    """Another framework in its own process, which is started again if it died. A child of this process may use it as well."""

    def __init__(self, framework: str, python: str) -> None:
        self.framework, self._command = framework, [python, os.path.abspath(__file__), framework]
        self._process: subprocess.Popen[bytes] | None = None

    def ask(self, operation: str, arrays: Sequence[Any], constants: Mapping[str, Any], wanted: Sequence[str] | None) -> Answers:
        """See answers."""
        if self._process is None:
            self._process = subprocess.Popen(self._command, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                             stderr=subprocess.DEVNULL, env=os.environ | ONE_THREAD)  # fmt: skip
        assert self._process.stdin and self._process.stdout
        try:
            request = operation, list(arrays), dict(constants), wanted
            pickle.dump(request, self._process.stdin)
            self._process.stdin.flush()
            return pickle.load(self._process.stdout)  # type: ignore[no-any-return]
        except (EOFError, OSError, pickle.UnpicklingError):
            self.end()
            return {}

    def end(self) -> None:
        """Ends the process."""
        if self._process is not None:
            self._process.kill()
            with contextlib.suppress(OSError):
                self._process.communicate()
        self._process = None


def main() -> int:
    """Answers until the input ends."""
    framework, out = sys.argv[1], os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    warnings.simplefilter("ignore")
    np.seterr(all="ignore")
    found, convert = functions(framework), converter(framework)
    while True:
        try:
            operation, arrays, constants, wanted = pickle.load(sys.stdin.buffer)
        except EOFError:
            return 0
        pickle.dump(answers(found.get(operation, ()), convert, arrays, constants, wanted), out)
        out.flush()


if __name__ == "__main__":
    sys.exit(main())
