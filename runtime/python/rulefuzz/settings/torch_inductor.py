"""inductor's settings: options of torch._inductor.config by their names there, and ways to trace and to compile a model."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

SETTINGS = {
    "trace": ("dynamo", "make_fx", "export", "run_decompositions"),
    "dynamic": ("False", "True"),
    "gemm": ("ATEN", "CPP"),
    "package": ("none", "aot_inductor"),
    "cpp_wrapper": ("False", "True"),
    "freezing": ("False", "True"),
    "cpp.simdlen": ("None", "1", "1", "256"),
    "cpp.threads": ("-1", "1", "4"),
    "cpp.dynamic_threads": ("False", "True"),
    "cpp.enable_loop_tail_vec": ("True", "False"),
    "cpp.fallback_scatter_reduce_sum": ("True", "False"),
    "cpp.max_horizontal_fusion_size": ("16", "1", "64"),
    "epilogue_fusion": ("True", "False"),
    "emulate_precision_casts": ("False", "True"),
    "layout_optimization": ("True", "False"),
    "inplace_buffers": ("True", "False"),
    "pattern_matcher": ("True", "False"),
    "max_fusion_size": ("64", "1", "4"),
    "realize_reads_threshold": ("4", "1", "100"),
    "split_reductions": ("True", "False"),
    "parallel": ("large", "all"),
}
"""trace: the way to make the graph. dynamic: sizes are symbols. gemm: CPP for inductor's own C++ templates, which need frozen
weights. package: AOTInductor. parallel: all loops run in four threads, so that small reductions are split. Each value may
occur twice to be drawn more often. Options that a torch lacks are ignored."""
OFTEN = ("gemm", "parallel")
"""Their effect needs calls that few models have."""
SHARE = 700
LOOSE = {"trace": ("export", "run_decompositions"), "package": ("aot_inductor",)}
"""torch.export does not keep the strides of results, nor which of them are views of inputs."""


def configure(settings: Sequence[tuple[str, str]]) -> tuple[dict[str, Any], dict[str, str]]:
    """Returns options for torch._inductor.config.patch, and the other settings."""
    import ast

    from torch._inductor import config

    known = config.get_config_copy()
    ways = {name: value for name, value in settings if name in ("trace", "dynamic", "gemm", "package", "parallel")}
    options = {name: ast.literal_eval(value) for name, value in settings if name in known}
    if ways.get("gemm") == "CPP":
        options |= {"freezing": True, "max_autotune": True, "max_autotune_gemm_backends": "CPP"}
    if ways.get("parallel") == "all":
        options |= {"cpp.threads": 4, "cpp.min_chunk_size": 1}
    return options, ways


def exported(function: Any, example: Sequence[Any]) -> Any:
    """The program that torch.export makes of it."""
    import torch

    class Module(torch.nn.Module):  # type: ignore[misc]
        def __init__(self) -> None:
            super().__init__()
            self.function = function

        def forward(self, *inputs: Any) -> Any:
            return self.function(*inputs)

    return torch.export.export(Module(), tuple(example), strict=False)


def traced(function: Any, example: Sequence[Any], how: str | None) -> Any:
    """The function as a graph, traced before torch.compile; itself if it is not to be, or cannot be, which dynamo may."""
    import contextlib

    from torch.fx.experimental.proxy_tensor import make_fx

    program: Any = None
    with contextlib.suppress(Exception):
        if how == "make_fx":
            return make_fx(function)(*[tensor.clone() for tensor in example])
        if how in ("export", "run_decompositions"):
            program = exported(function, example)
    if program is None:
        return function
    return (program.run_decompositions() if how == "run_decompositions" else program).module()


TRACED = """from torch._inductor.compile_fx import compile_fx
from torch.fx.experimental.proxy_tensor import make_fx
actual = compile_fx(make_fx(model)(*inputs), [*inputs])(*inputs)
"""
EXPORTED = """class Module(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.model = model
    def forward(self, *inputs):
        return self.model(*inputs)
"""
PACKAGED = """exported = torch.export.export(Module(), inputs, strict=False)
actual = torch._inductor.aoti_load_package(torch._inductor.aoti_compile_and_package(exported))(*inputs)
"""


def plain(settings: Sequence[tuple[str, str]], dynamic: bool) -> tuple[str, ...]:
    """As a target's PLAIN. `dynamic`: with inputs of another shape before."""
    options, ways = configure(settings)
    trace, packaged = ways.get("trace"), ways.get("package") == "aot_inductor"
    text = "\nimport torch._inductor.config\n"
    text += "".join(f"torch._inductor.config.{name} = {value!r}\n" for name, value in options.items())
    if (trace in ("export", "run_decompositions") or packaged) and not dynamic:
        text += EXPORTED
    if packaged and not dynamic:
        return (f"{text}with torch.no_grad():\n    " + PACKAGED.strip().replace("\n", "\n    ") + "\n",)
    if trace == "make_fx" and not dynamic:
        return (text + TRACED,)
    if trace in ("export", "run_decompositions") and not dynamic:
        more = ".run_decompositions()" if trace == "run_decompositions" else ""
        text += f"model = torch.export.export(Module(), inputs, strict=False){more}.module()\n"
    call = f"torch.compile(model, dynamic={dynamic or ways.get('dynamic') == 'True'})"
    before, block = ("compiled(*[x.clone() for x in first])\n", "") if dynamic else ("", "")
    if "freezing" in options:
        before, block = before and f"    {before}", "    "
        return (f"{text}compiled = {call}\nwith torch.no_grad():\n{before}{block}actual = compiled(*inputs)\n",)
    return (f"{text}compiled = {call}\n{before}actual = compiled(*inputs)\n",)
