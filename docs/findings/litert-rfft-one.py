"""LiteRT: RFFT of one element returns -x as its imaginary part (ai-edge-litert 2.3.0, TensorFlow 2.21.0). Exit code 1: the bug reproduces; 0: it does not."""

import os
import sys

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
import tensorflow as tf
from ai_edge_litert.interpreter import Interpreter

X = tf.constant([[2.0], [3.0]])
expected = tf.signal.rfft(X, [1]).numpy()
print("expected:", expected.tolist())
graph = tf.function(lambda x: tf.signal.rfft(x, [1])).get_concrete_function(tf.TensorSpec(X.shape))
interpreter = Interpreter(model_content=tf.lite.TFLiteConverter.from_concrete_functions([graph]).convert())
interpreter.allocate_tensors()
interpreter.set_tensor(interpreter.get_input_details()[0]["index"], X.numpy())
interpreter.invoke()
actual = interpreter.get_tensor(interpreter.get_output_details()[0]["index"])
print("actual:  ", actual.tolist())
sys.exit(not abs(expected - actual).max() < 1e-3)
