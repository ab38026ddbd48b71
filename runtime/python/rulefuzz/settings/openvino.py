"""OpenVINO's settings: properties of the CPU plugin, and ways to compile. None changes the precision."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

SETTINGS = {
    "PERFORMANCE_HINT": ("LATENCY", "THROUGHPUT", "CUMULATIVE_THROUGHPUT"),
    "EXECUTION_MODE_HINT": ("PERFORMANCE", "ACCURACY"),
    "NUM_STREAMS": ("1", "2"),
    "INFERENCE_NUM_THREADS": ("1", "2", "4"),
    "ENABLE_CPU_PINNING": ("YES", "NO"),
    "cache": ("off", "on"),
    "dynamic_shapes": ("off", "on"),
}
"""cache: the compiled model is stored and loaded again. dynamic_shapes: all sizes of inputs are unknown when the model is
compiled. Properties that an OpenVINO lacks are ignored."""


def configure(settings: Sequence[tuple[str, str]], loaded: Any, device: str, config: dict[str, Any]) -> Any:
    """Compiles a model with settings."""
    import tempfile

    import openvino

    core = openvino.Core()
    known = core.get_property(device, "SUPPORTED_PROPERTIES")
    config = {**config, **{name: value for name, value in settings if name in known}}
    if ("dynamic_shapes", "on") in settings:
        ranks = {port: port.partial_shape.rank.get_length() for port in loaded.inputs}
        loaded.reshape({port: openvino.PartialShape([-1] * rank) for port, rank in ranks.items()})
    if ("cache", "on") not in settings:
        return core.compile_model(loaded, device, config)
    with tempfile.TemporaryDirectory() as folder:
        core.compile_model(loaded, device, {**config, "CACHE_DIR": folder})
        return core.compile_model(loaded, device, {**config, "CACHE_DIR": folder})


def plain(settings: Sequence[tuple[str, str]], dynamic: bool) -> tuple[str, ...]:
    """As a target's PLAIN; the same for several shapes."""
    lines = ["", "import openvino", "import io", "loaded = openvino.Core().read_model(io.BytesIO(model.SerializeToString()))"]
    config = {"INFERENCE_PRECISION_HINT": "f32", **{name: value for name, value in settings if name.isupper()}}
    said = ", ".join(f'"{name}": "{value}"' for name, value in config.items())
    if ("dynamic_shapes", "on") in settings:
        lines.append("ranks = {port: port.partial_shape.rank.get_length() for port in loaded.inputs}")
        lines.append("loaded.reshape({port: openvino.PartialShape([-1] * rank) for port, rank in ranks.items()})")
    if ("cache", "on") in settings:
        lines += ["import tempfile", f'config = {{{said}, "CACHE_DIR": tempfile.mkdtemp()}}']
        lines.append('openvino.Core().compile_model(loaded, "CPU", config)  # stores it in the folder')
    else:
        lines.append(f"config = {{{said}}}")
    return ("\n".join([*lines, 'compiled = openvino.Core().compile_model(loaded, "CPU", config)',
                       "actual = compiled(list(inputs.values()))[0]", ""]),)  # fmt: skip
