"""tract, an inference engine in Rust: the ONNX model, analyzed, decluttered and optimized, on one thread."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from rulefuzz.targets import Dynamic

FRAMEWORK = "onnx"
REQUIRES = ("tract==0.23.9",)
IMPORTS = ("tract",)
UNSUPPORTED = ("Unknown DatumType",)
APPROXIMATES = ("gelu",)  # by a tanh that ends at 0.9999994, which leaves -2e-5 of -74
PLAIN = ("""
import tract
onnx.save(model, "model.onnx")
runnable = tract.onnx().load("model.onnx").into_model().into_runnable()
actual = runnable.run(list(inputs.values()))[0].to_numpy()
""",)
DYNAMIC = Dynamic(PLAIN, refuses=("tract fails to read",))


def compile(model: Any, example: Sequence[Any], stage: Callable[[str], None]) -> Callable[..., Sequence[Any]]:
    """The runnable of the model."""
    import os
    import re

    os.environ["RUST_BACKTRACE"] = "0"
    import tract

    if any(array.dtype == object or array.dtype.isbuiltin != 1 for array in example):
        raise NotImplementedError("tract accepts no numpy arrays of these dtypes")
    held = os.memfd_create("model.onnx")
    try:
        os.write(held, model.SerializeToString())
        typed = tract.onnx().load(f"/proc/self/fd/{held}").into_model()
    except tract.TractError as error:
        said = str(error).partition("Stack backtrace")[0].strip()
        refused = re.search(r"(?:Translating|Failed analyse for) node #\d+ \S+ ([\w()]+)|Building node \S* \((\w+)", said)
        if refused:
            name, cause = refused[1] or refused[2], re.sub(r"^\s*(\d+: )?", "", said.splitlines()[-1])
            lacks = r"supported|Unimplemented|can not be|[Cc]onst|be determined|a known|number of outputs|unify [A-Z]+\d"
            if re.search(lacks, cause):
                raise NotImplementedError(f"tract does not read {name}") from error
            raise tract.TractError(f"tract fails to read {name}: {cause}") from error  # of the type that a script sees
        raise
    finally:
        os.close(held)
    runnable = typed.into_runnable()
    stage("run")
    return lambda *inputs: [tensor.to_numpy() for tensor in runnable.run(list(inputs))]
