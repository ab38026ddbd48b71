"""User-defined operators: Python functions, or objects such as ONNX functions, that models may call besides the
framework's.

Only those in RULEFUZZ_OWN ("package.module:function", separated by commas) can be called; names in a model are
never imported. `rulefuzz --rules` sets the variable for a library made by `rulesmith learn`. Such a function's API
is "package.module.function".
"""

from __future__ import annotations

import functools
import importlib.util
import os
import re
import sys
from collections.abc import Iterable, Sequence
from typing import Any

VARIABLE = "RULEFUZZ_OWN"
NAME = re.compile(r"[A-Za-z]\w*(\.[A-Za-z]\w*)*:[A-Za-z]\w*", re.ASCII)


class BadOwn(ImportError):
    """A user-defined function cannot be loaded. The text gives its name and the reason."""


def api_of(name: str) -> str:
    """The API of "package.module:function". Raises BadOwn."""
    if not NAME.fullmatch(name):
        raise BadOwn(f"{name!r}: expected package.module:function with public names")
    return name.replace(":", ".")


@functools.cache
def modules() -> dict[str, str]:
    """The module of each allowed API. Raises BadOwn."""
    names = [name for name in os.environ.get(VARIABLE, "").split(",") if name]
    return {api_of(name): name.partition(":")[0] for name in names}


@functools.cache
def functions() -> dict[str, Any]:
    """The function of each API. Imports the modules. Raises BadOwn."""
    return {api: _function(module, api.rpartition(".")[2]) for api, module in modules().items()}


def _function(module: str, name: str) -> Any:
    try:
        found = getattr(importlib.import_module(module), name)
    except Exception as error:  # a module may raise anything
        raise BadOwn(f"cannot import {module}:{name}: {type(error).__name__}: {error}") from error
    if not callable(found) and not hasattr(found, "SerializeToString"):  # an ONNX function is a message
        raise BadOwn(f"{module}:{name} is not callable")
    return found


def find(name: str) -> None:
    """Finds the module of "package.module:function" without importing it or a framework. Raises BadOwn."""
    api_of(name)
    module = name.partition(":")[0]
    try:
        found = importlib.util.find_spec(module)
    except Exception as error:  # of a package that the module is in
        raise BadOwn(f"cannot import {name}: {type(error).__name__}: {error}") from error
    if found is None:
        raise BadOwn(f"cannot import {name}: no module named {module!r} on the path of {sys.executable}")


def imports(apis: Iterable[str]) -> list[str]:
    """Source lines that import what these APIs need."""
    return [f"import {module}" for module in sorted({modules()[api] for api in apis if api in modules()})]


def main(argv: Sequence[str]) -> int:
    """python -m rulefuzz.own package.module:function: exit code 5 and a message if there is no such module."""
    try:
        find(argv[0])
    except BadOwn as error:
        print(f"rulesmith learn: error: {error}", file=sys.stderr)
        return 5
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
