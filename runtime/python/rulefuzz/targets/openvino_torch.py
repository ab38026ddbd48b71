"""OpenVINO: the program of torch.export, compiled by the CPU plugin in full precision, on one thread."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from rulefuzz.rewrite.torch import EXPORT, REFUSES, program, pure_program
from rulefuzz.targets import Dynamic

FRAMEWORK = "torch"
REQUIRES = ("torch", "openvino==2026.4.1")
PLAIN = (f"""{EXPORT}
import sys
sys.modules["openvino_telemetry"] = None  # it uses the network
import openvino
converted = openvino.convert_model(torch.export.export(Module(), inputs, strict=False))
compiled = openvino.compile_model(converted, "CPU", {{"INFERENCE_PRECISION_HINT": "f32"}})
actual = torch.from_numpy(compiled([x.numpy() for x in inputs])[0])
""",)
UNSUPPORTED = ("No conversion rule found for operations",)


def converted(function: Any, example: Any, stage: Any, dims: Any) -> Any:
    """The compiled program."""
    import sys

    sys.modules["openvino_telemetry"] = None  # type: ignore[assignment]  # scripts hold a copy, and it uses the network
    import openvino
    import torch

    exact = {"INFERENCE_PRECISION_HINT": "f32", "INFERENCE_NUM_THREADS": 1}
    whole = openvino.convert_model(pure_program(function, example, dims))
    wide = openvino.Type.f64
    if wide in [port.element_type for port in (*whole.inputs, *whole.outputs)]:
        raise NotImplementedError("OpenVINO computes float64 in float32")
    compiled = openvino.Core().compile_model(whole, "CPU", exact)
    stage("run")

    def given(tensor: Any) -> Any:
        dense = tensor.detach().resolve_conj().resolve_neg().contiguous()
        if dense.dtype == torch.bfloat16:
            return openvino.Tensor(dense.view(torch.uint16).numpy(), openvino.Shape(dense.shape), openvino.Type.bf16)
        return openvino.Tensor(dense.numpy(), shared_memory=False)

    def taken(array: Any, port: Any) -> Any:
        if port.element_type == openvino.Type.bf16:
            return torch.from_numpy(array.view("uint16").copy()).view(torch.bfloat16)
        return torch.from_numpy(array.copy())

    def call(*inputs: Any) -> Any:
        results = compiled([given(tensor) for tensor in inputs])
        return [taken(results[port], port) for port in compiled.outputs]

    return call


NEEDS = (program, pure_program, converted)


def compile(function: Any, example: Sequence[Any], stage: Callable[[str], None]) -> Callable[..., Sequence[Any]]:
    """The compiled program, of one shape."""
    call: Callable[..., Sequence[Any]] = converted(function, example, stage, ())
    return call


DYNAMIC = Dynamic((), converted, (program, pure_program), REFUSES)
