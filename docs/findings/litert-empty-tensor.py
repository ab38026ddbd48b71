"""LiteRT: model with an empty output fails (ai-edge-litert 2.3.0, TensorFlow 2.21.0). Exit code 1: the bug reproduces; 0: it does not."""

import os
import sys

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
import tensorflow as tf
from ai_edge_litert.interpreter import Interpreter

graph = tf.function(lambda x: tf.expand_dims(x, 0)).get_concrete_function(tf.TensorSpec([1, 0]))
print("expected: (1, 1, 0)")
try:
    interpreter = Interpreter(model_content=tf.lite.TFLiteConverter.from_concrete_functions([graph]).convert())
    interpreter.allocate_tensors()
    interpreter.set_tensor(interpreter.get_input_details()[0]["index"], tf.zeros([1, 0]).numpy())
    interpreter.invoke()
    actual = interpreter.get_tensor(interpreter.get_output_details()[0]["index"]).shape
except ValueError as error:
    sys.exit(f"actual: {error}")
print("actual:  ", actual)
