"""inductor's C++ kernels of one graph, or of many, in one call of the compiler.

inductor compiles each kernel alone, as a Python extension. For a model of five calls, that is one to five compilations of half
a second, mostly spent on the same headers. Here kernels wait until one of them is called. Then all become one library, each in
its own namespace, whose functions take their arguments as an array of 64-bit words.
"""

from __future__ import annotations

import contextlib
import ctypes
import re
from collections.abc import Iterator
from typing import Any, ClassVar

import torch
import torch._dynamo
from torch._inductor import config, cpp_builder
from torch._inductor.async_compile import AsyncCompile
from torch._inductor.codecache import CppCodeCache, CppPythonBindingsCodeCache

from rulefuzz.passes.torch_graphs import Graphs, shared, watched

HEADER = "torch/csrc/inductor/cpp_prefix.h"
_INCLUDE = re.compile(r"^[ \t]*#include .*$", re.MULTILINE)
_NAME = re.compile(r'extern "C"\s+void\s+kernel\(')
_PART = """namespace part{number} {{
{body}
}}
extern "C" const char *part_{number}(uint64_t *words) {{
    static std::string said;
    try {{
        part{number}::kernel({arguments});
    }} catch (std::exception const& error) {{
        said = error.what();
        return said.c_str();
    }}
    return nullptr;
}}
"""


class _Libraries(CppCodeCache):  # type: ignore[misc]
    """Plain libraries with inductor's precompiled header."""

    cache: ClassVar[dict[str, Any]] = {}
    cpp_compile_command_flags = CppPythonBindingsCodeCache.cpp_compile_command_flags

    @classmethod
    def _get_uncompiled_header(cls, device: str) -> str:
        return HEADER


class _Kernel:
    """A kernel that is compiled together with the pending ones."""

    def __init__(self, waiting: list[_Kernel], types: list[str], source: str) -> None:
        self._waiting, self.types, self.source = waiting, types, source
        self.run: Any = None
        waiting.append(self)

    def __call__(self, *args: Any) -> None:
        if self.run is None:
            _compile(self._waiting)
        words = (ctypes.c_uint64 * max(len(args), 1))()
        for i, arg in enumerate(args):
            words[i] = arg.data_ptr() if isinstance(arg, torch.Tensor) else (arg or 0) & ((1 << 64) - 1)
        said = self.run(words)
        if said:
            raise RuntimeError(said.decode())


def source_of(kernels: list[tuple[list[str], str]]) -> str:
    """The source of a library of kernels, each given by its argument types and its source."""
    includes = dict.fromkeys([f"#include <{HEADER}>"])
    includes.update(dict.fromkeys(line.strip() for _, source in kernels for line in _INCLUDE.findall(source)))
    parts = [*includes, "#include <string>"]
    for number, (types, source) in enumerate(kernels):
        body, count = _NAME.subn("void kernel(", _INCLUDE.sub("", source))
        if count != 1 or any(kind in ("float", "double") for kind in types):
            raise NotImplementedError("unknown form of kernel")
        arguments = ", ".join(f"({kind})words[{i}]" for i, kind in enumerate(types))
        parts.append(_PART.format(number=number, body=body, arguments=arguments))
    return "\n".join(parts)


def _compile(waiting: list[_Kernel]) -> None:
    library = _Libraries.load(source_of([(kernel.types, kernel.source) for kernel in waiting]), "cpu")
    for number, kernel in enumerate(waiting):
        kernel.run = getattr(library, f"part_{number}")
        kernel.run.restype = ctypes.c_char_p
    waiting.clear()


@contextlib.contextmanager
def together(graphs: Graphs | None = None) -> Iterator[Graphs]:
    """A context in which kernels are compiled together, and a function whose graph was compiled before is skipped. graphs: the
    known ones, by default the campaign's."""
    waiting: list[_Kernel] = []
    graphs = graphs or Graphs(shared())
    before = AsyncCompile.cpp_pybinding
    AsyncCompile.cpp_pybinding = lambda self, types, source: _Kernel(waiting, types, source)
    try:
        with watched(graphs):
            yield graphs
    finally:
        AsyncCompile.cpp_pybinding = before


def prepare() -> None:
    """Configures inductor, and prepares all compilations in this process and its forks: determines the vector instructions and
    precompiles the headers, for vector and for scalar code."""
    settings: Any = config
    settings.fx_graph_cache, settings.compile_threads = False, 1
    flags = cpp_builder._get_optimization_cflags
    if not hasattr(flags, "least"):

        def least(compiler: str, min_optimize: bool = False) -> tuple[list[str], list[str]]:
            return flags(compiler, True)  # type: ignore[no-any-return]

        least.least = flags  # type: ignore[attr-defined]
        cpp_builder._get_optimization_cflags = least
    for simdlen in (None, 1):
        with config.patch({"cpp.simdlen": simdlen}), together(Graphs(None)):
            torch._dynamo.reset()
            torch.compile(lambda x: x.exp() + 1, dynamic=False)(torch.ones(3, 17))
    torch._dynamo.reset()
