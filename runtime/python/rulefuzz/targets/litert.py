"""LiteRT: the model, converted by TensorFlow to LiteRT operators, in the interpreter on one thread."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

FRAMEWORK = "tensorflow"
REQUIRES = ("ai-edge-litert==2.3.0",)
IMPORTS = ("ai_edge_litert.interpreter",)
PLAIN = ("""
from ai_edge_litert.interpreter import Interpreter
specs = [tf.TensorSpec(x.shape, x.dtype, name=f"i{i}") for i, x in enumerate(inputs)]
graph = tf.function(model, autograph=False).get_concrete_function(*specs)
interpreter = Interpreter(model_content=tf.lite.TFLiteConverter.from_concrete_functions([graph]).convert())
interpreter.allocate_tensors()
for detail in interpreter.get_input_details():
    interpreter.set_tensor(detail["index"], inputs[int(detail["name"][1:])].numpy())
interpreter.invoke()
actual = tf.constant(interpreter.get_tensor(interpreter.get_output_details()[0]["index"]))
""",)


def compile(function: Any, example: Sequence[Any], stage: Callable[[str], None]) -> Callable[..., Sequence[Any]]:
    """The interpreter of the converted function."""
    import re

    import tensorflow as tf
    from ai_edge_litert.interpreter import Interpreter

    specs = [tf.TensorSpec(tensor.shape, tensor.dtype, name=f"i{i}") for i, tensor in enumerate(example)]
    try:
        graph = tf.function(function, autograph=False).get_concrete_function(*specs)
    except (ValueError, TypeError, tf.errors.InvalidArgumentError) as error:  # a finding for tensorflow-graph
        operator = re.search(r"\{\{node \w+\}\} = (\w+)", str(error))
        raise NotImplementedError(f"tf.function rejects {operator[1] if operator else 'a call'}") from error
    try:
        converted = tf.lite.TFLiteConverter.from_concrete_functions([graph]).convert()
    except Exception as error:
        operator = re.search(r"'tf\.(\w+)' op is neither a custom op nor a flex op", str(error))
        if not operator:
            raise
        raise NotImplementedError(f"LiteRT has no {operator[1]}") from error
    interpreter = Interpreter(model_content=converted, num_threads=1)
    interpreter.allocate_tensors()
    stage("run")

    def call(*inputs: Any) -> Any:
        for detail in interpreter.get_input_details():
            interpreter.set_tensor(detail["index"], inputs[int(detail["name"][1:])].numpy())
        interpreter.invoke()
        return [tf.constant(interpreter.get_tensor(detail["index"])) for detail in interpreter.get_output_details()]

    return call
