"""IREE: the ONNX model, imported as MLIR and compiled for the CPU, in its virtual machine on one thread."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from rulefuzz.rewrite.onnx import TYPED, typed_copy

FRAMEWORK = "onnx"
REQUIRES = ("iree-base-compiler==3.13.0", "iree-base-runtime==3.13.0")
IMPORTS = ("iree.runtime", "iree.compiler")
UNSUPPORTED = ("failed to legalize operation 'torch.operator'", "failed to legalize unresolved")
PLAIN = ("""
import iree.compiler, iree.runtime
from iree.compiler.tools.import_onnx import __main__ as importer
onnx.save(model, "model.onnx")
importer.main(importer.parse_arguments(["model.onnx", "-o", "model.mlir"]))
binary = iree.compiler.compile_file("model.mlir", target_backends=["llvm-cpu"], input_type="onnx")
module = iree.runtime.load_vm_flatbuffer(binary, driver="local-sync")
actual = module[model.graph.name](*inputs.values())
actual = (actual[0] if isinstance(actual, (tuple, list)) else actual).to_host()
""",)
NEEDS = TYPED


def compile(model: Any, example: Sequence[Any], stage: Callable[[str], None]) -> Callable[..., Sequence[Any]]:
    """The module in the virtual machine."""
    import os
    import re
    import tempfile

    import iree.compiler
    import iree.runtime
    import numpy as np
    import onnx
    from iree.compiler.tools.import_onnx import __main__ as importer

    if any(array.dtype == object or array.dtype.isbuiltin != 1 for array in example):
        raise NotImplementedError("IREE accepts no numpy arrays of these dtypes")
    named = typed_copy(model, example)
    named.graph.name = "main_graph"
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "model.onnx")
        onnx.save(named, path)
        importer.main(importer.parse_arguments([path, "-o", path + ".mlir"]))
        try:
            binary = iree.compiler.compile_file(
                path + ".mlir", target_backends=["llvm-cpu"], input_type="onnx", extra_args=["--iree-llvmcpu-target-cpu=host"]
            )
        except Exception as error:
            lacks = re.search(r'torch.operator.*?"onnx\.(\w+)"', str(error))
            if "failed to legalize operation 'torch.operator'" in str(error) and lacks:
                raise NotImplementedError(f"IREE does not import {lacks[1]}") from error
            raise
    module = iree.runtime.load_vm_flatbuffer(binary, driver="local-sync")
    stage("run")

    def call(*inputs: Any) -> Any:
        made = module["main_graph"](*[np.ascontiguousarray(array) for array in inputs])
        return [array.to_host().copy() for array in (made if isinstance(made, (tuple, list)) else [made])]

    return call
