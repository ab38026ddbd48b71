"""onnxruntime's settings: attributes of SessionOptions, and entries of its configuration, whose names have a dot."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

SETTINGS = {
    "graph_optimization_level": ("ORT_ENABLE_ALL", "ORT_ENABLE_EXTENDED", "ORT_ENABLE_BASIC", "ORT_DISABLE_ALL"),
    "execution_mode": ("ORT_SEQUENTIAL", "ORT_PARALLEL"),
    "execution_order": ("DEFAULT", "PRIORITY_BASED"),
    "intra_op_num_threads": ("1", "2", "4"),
    "inter_op_num_threads": ("1", "2", "4"),
    "enable_mem_pattern": ("True", "False"),
    "enable_mem_reuse": ("True", "False"),
    "enable_cpu_mem_arena": ("True", "False"),
    "use_deterministic_compute": ("False", "True"),
    "free_dimensions": ("named", "fixed"),
    "session.disable_prepacking": ("0", "1"),
    "session.disable_aot_function_inlining": ("0", "1"),
    "session.disable_quant_qdq": ("0", "1"),
    "session.disable_double_qdq_remover": ("0", "1"),
    "session.disable_qdq_constant_folding": ("0", "1"),
    "session.qdqisint8allowed": ("0", "1"),
    "session.x64quantprecision": ("0", "1"),
    "session.graph_optimizations_loop_level": ("1", "0", "2"),
    "session.dynamic_block_base": ("0", "4"),
    "session.use_device_allocator_for_initializers": ("0", "1"),
}
"""free_dimensions: whether named dimensions get the sizes of the first inputs. Settings that an onnxruntime lacks have no
effect. Settings that change results by design are not here: denormal numbers as zero, approximations, fewer casts."""
ONE_SHAPE = ("free_dimensions",)
COSTLY = ("execution_order", "enable_mem_reuse")  # not in the C interface


def configure(settings: Sequence[tuple[str, str]], options: Any, model: Any, example: Sequence[Any]) -> None:
    """Applies settings to a session's options."""
    if ("execution_mode", "ORT_PARALLEL") in settings:
        options.inter_op_num_threads = 2
    for name, value in settings:
        kind = type(getattr(options, name, None))
        if "." in name:
            options.add_session_config_entry(name, value)
        elif kind in (bool, int):
            setattr(options, name, value == "True" if kind is bool else int(value))
        elif hasattr(kind, value):
            setattr(options, name, getattr(kind, value))
        elif name == "free_dimensions":
            for info, array in zip(model.graph.input, example):
                for dim, size in zip(info.type.tensor_type.shape.dim, array.shape):
                    if dim.dim_param:
                        options.add_free_dimension_override_by_name(dim.dim_param, size)


FIXED = """for info in model.graph.input:
    for dim, size in zip(info.type.tensor_type.shape.dim, inputs[info.name].shape):
        if dim.dim_param:
            optimised.add_free_dimension_override_by_name(dim.dim_param, size)"""


def _line(name: str, value: str) -> str:
    """A statement that sets an option."""
    if name == "free_dimensions":
        return FIXED
    if "." in name:
        return f'optimised.add_session_config_entry("{name}", "{value}")'
    kind = "".join(part.title() for part in name.split("_"))
    is_plain = value.isdigit() or value in ("True", "False")
    return f"optimised.{name} = {value if is_plain else f'ort.{kind}.{value}'}"


def plain(settings: Sequence[tuple[str, str]], dynamic: bool) -> tuple[str, ...]:
    """As a target's PLAIN. `dynamic`: with inputs of another shape before."""
    lines = ["", "import onnxruntime as ort", "optimised = ort.SessionOptions()", *(_line(*setting) for setting in settings)]
    session = "ort.InferenceSession(model.SerializeToString(), optimised)"
    if dynamic:
        lines += [f"session = {session}", "session.run(None, first)"]
    return ("\n".join([*lines, f"actual = {'session' if dynamic else session}.run(None, inputs)[0]", ""]),)
