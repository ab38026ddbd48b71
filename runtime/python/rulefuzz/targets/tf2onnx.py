"""tf2onnx: the function, converted to ONNX, in onnxruntime without optimizations."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from rulefuzz.rewrite.onnx import session_of

FRAMEWORK = "tensorflow"
REQUIRES = ("tf2onnx==1.17.0", "onnx==1.23.2", "onnxruntime==1.32.0")
PLAIN = ("""
import onnxruntime as ort
import tf2onnx
specs = [tf.TensorSpec(x.shape, x.dtype, name=f"i{i}") for i, x in enumerate(inputs)]
written, _ = tf2onnx.convert.from_function(tf.function(model, autograph=False), specs, opset=18)
none = ort.SessionOptions()
none.graph_optimization_level = ort.GraphOptimizationLevel.ORT_DISABLE_ALL
session = ort.InferenceSession(written.SerializeToString(), none)
fed = {info.name: inputs[int(info.name[1:].split(":")[0])].numpy() for info in session.get_inputs()}
actual = tf.constant(session.run(None, fed)[0])
""",)
NEEDS = (session_of,)


def compile(function: Any, example: Sequence[Any], stage: Callable[[str], None]) -> Callable[..., Sequence[Any]]:
    """The session of the converted function."""
    import logging
    import re

    import onnx
    import tensorflow as tf
    import tf2onnx

    logging.disable(logging.CRITICAL)
    specs = [tf.TensorSpec(tensor.shape, tensor.dtype, name=f"i{i}") for i, tensor in enumerate(example)]
    whole = tf.function(function, autograph=False)
    try:
        whole.get_concrete_function(*specs)
    except (ValueError, TypeError, tf.errors.InvalidArgumentError) as error:  # a finding for tensorflow-graph
        operator = re.search(r"\{\{node \w+\}\} = (\w+)", str(error))
        raise NotImplementedError(f"tf.function rejects {operator[1] if operator else 'a call'}") from error
    written, _ = tf2onnx.convert.from_function(whole, specs, opset=18)
    left = [node.op_type for node in written.graph.node if not node.domain and not onnx.defs.has(node.op_type)]
    if left:
        raise NotImplementedError(f"tf2onnx does not convert {left[0]}")
    session = session_of(written)
    places = [(info.name, int(re.findall(r"\d+", info.name)[0])) for info in session.get_inputs()]
    stage("run")

    def call(*inputs: Any) -> Any:
        if any(inputs[place].numpy().dtype.isbuiltin != 1 for _, place in places):
            raise NotImplementedError("cannot pass these dtypes to onnxruntime")
        fed = {name: inputs[place].numpy() for name, place in places}
        return [tf.constant(array) for array in session.run(None, fed)]

    return call
