"""Rewritten ONNX models in onnxruntime without optimizations, the reference of ONNX: a difference is the rewriter's.

Each function stands alone, imports included, since repro scripts hold copies of it.
"""

from __future__ import annotations

from typing import Any

from rulefuzz.frameworks.onnx_arrays import is_packed, packed, value_of

RUN = """
import onnxruntime as ort
none = ort.SessionOptions()
none.graph_optimization_level = ort.GraphOptimizationLevel.ORT_DISABLE_ALL
actual = ort.InferenceSession(rewritten.SerializeToString(), none).run(None, inputs)[0]
"""
"""The end of a target's PLAIN, after it defined `rewritten`."""
RUN_TWICE = RUN.replace("actual = ", "session = ").replace(".run(None, inputs)[0]", "")
RUN_TWICE += "session.run(None, first)\nactual = session.run(None, inputs)[0]\n"
"""The same for DYNAMIC."""


def session_of(model: Any) -> Any:
    """The session of a model, without optimizations and on one thread."""
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    return onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])


def caller(model: Any, session: Any) -> Any:
    """Runs the session with the inputs of the original model, by their names: a rewriter may drop those without use."""
    kept = {info.name for info in session.get_inputs()}
    kinds = [(info.name, info.type.tensor_type.elem_type) for info in model.graph.input]
    outputs = [info.name for info in model.graph.output]

    def call(*inputs: Any) -> Any:
        fed = {name: (array, kind) for (name, kind), array in zip(kinds, inputs) if name in kept}
        if any(array.dtype == object for array, _ in fed.values()):  # strings
            return session.run(outputs, {name: array for name, (array, _) in fed.items()})
        return session.run_with_ort_values(outputs, {name: value_of(array, kind) for name, (array, kind) in fed.items()})

    return call


def typed_copy(model: Any, example: Any) -> Any:
    """A copy of the model, which a rewriter may change. Its outputs have dtypes and ranks, as in the files that users have."""
    import onnx
    from onnx import helper

    copy = type(model).FromString(model.SerializeToString())
    try:
        inferred = {info.name: info for info in onnx.shape_inference.infer_shapes(copy).graph.output}
    except onnx.shape_inference.InferenceError:
        inferred = {}
    for info in copy.graph.output:
        info.CopyFrom(inferred.get(info.name, info))
    lacking = [info for info in copy.graph.output if not info.type.tensor_type.HasField("shape")]
    if lacking:
        values = dict(zip([info.name for info in model.graph.output], caller(model, session_of(model))(*example)))
        for info in lacking:
            value = values[info.name]  # an array for models with strings
            told = hasattr(value, "element_type")
            kind = value.element_type() if told else helper.np_dtype_to_tensor_dtype(value.dtype)
            rank = len(value.shape()) if told else value.ndim
            info.CopyFrom(helper.make_tensor_value_info(info.name, kind, [None] * rank))
    return copy


def rewritten_session(model: Any, rewritten: Any) -> Any:
    """The session of a rewritten model. A rejection is the rewriter's failure, unless the original is rejected as well."""
    try:
        return session_of(rewritten)
    except Exception as error:
        try:
            session_of(model)
        except Exception as same:
            raise NotImplementedError("onnxruntime rejects the original model, too") from same
        said = str(error).replace("NOT_IMPLEMENTED", "no kernel").replace("Could not find an implementation for", "none for")
        raise type(error)(f"onnxruntime rejects the rewritten model: {said}") from error  # of the type that a script sees


def compiled(rewrite: Any, model: Any, example: Any, stage: Any) -> Any:
    """The session of the model that `rewrite` makes of a copy of the original."""
    try:
        copy = typed_copy(model, example)
    except Exception as error:
        raise NotImplementedError("onnxruntime rejects the original model") from error
    session = rewritten_session(model, rewrite(copy))
    stage("run")
    return caller(model, session)


TYPED = (is_packed, packed, value_of, session_of, caller, typed_copy)
"""The functions that `typed_copy` calls, and itself; scripts copy them."""
NEEDS = (*TYPED, rewritten_session, compiled)
"""The same of `compiled`."""
