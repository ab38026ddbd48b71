"""inductor's graph passes with frozen parameters; the rewritten graph runs eagerly, without a C++ compiler."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

FRAMEWORK = "torch"
REQUIRES = ("torch",)
BEFORE = ("torch-decomp", "torch-aot")
UNSUPPORTED = ("is no operator",)
PLAIN = ("""
import torch._inductor.config
torch._inductor.config.freezing = True
with torch.no_grad():
    actual = torch.compile(model, dynamic=False)(*inputs)
""",)


def compile(function: Any, example: Sequence[Any], stage: Callable[[str], None]) -> Callable[..., Sequence[Any]]:
    """The module; its graph is rewritten on its first call."""
    import torch
    import torch._dynamo
    from torch._inductor import compile_fx, config
    from torch._inductor.virtualized import V

    settings: Any = config
    settings.freezing, settings.fx_graph_cache = True, False

    def rewritten(graph: Any, inputs: Any, **options: Any) -> Any:
        compile_fx.view_to_reshape(graph)
        with V.set_fake_mode(compile_fx.fake_tensor_prop(graph, inputs)):
            compile_fx._recursive_post_grad_passes(graph, is_inference=True)
        for node in graph.graph.nodes:
            if getattr(node.target, "__module__", "").startswith("torch._inductor"):
                raise NotImplementedError(f"{node.target.__name__} is no operator: code is generated for it")
        graph.recompile()

        def call(values: Any) -> Any:
            return graph(*values)

        call._boxed_call = True  # type: ignore[attr-defined]
        return call

    def backend(graph: Any, inputs: Any) -> Any:
        stage("compile")
        compiled = compile_fx.compile_fx(graph, inputs, inner_compile=rewritten)
        stage("run")
        return compiled

    made: Any = None

    def call(*inputs: Any) -> Any:
        nonlocal made
        if made is None:
            torch._dynamo.reset()
            made = torch.compile(function, backend=backend, fullgraph=True, dynamic=False)
        try:
            return made(*inputs)
        except (torch._dynamo.exc.Unsupported, torch._dynamo.exc.UserError):
            torch._dynamo.reset()
            made = torch.compile(function, backend=backend, dynamic=False)
            return made(*inputs)

    return call
