"""LiteRT: FakeQuant with 5 bits is quantized to 8 bits (ai-edge-litert 2.3.0, TensorFlow 2.21.0). Exit code 1: the bug reproduces; 0: it does not."""

import os
import sys

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
import tensorflow as tf
from ai_edge_litert.interpreter import Interpreter


def fake(x):
    return tf.quantization.fake_quant_with_min_max_args(x, -6.0, 6.0, num_bits=5)


X = tf.constant([-1.8, 2.5])
print("expected:", fake(X).numpy().tolist())
graph = tf.function(fake).get_concrete_function(tf.TensorSpec([2]))
interpreter = Interpreter(model_content=tf.lite.TFLiteConverter.from_concrete_functions([graph]).convert())
interpreter.allocate_tensors()
interpreter.set_tensor(interpreter.get_input_details()[0]["index"], X.numpy())
interpreter.invoke()
actual = interpreter.get_tensor(interpreter.get_output_details()[0]["index"])
print("actual:  ", actual.tolist())
sys.exit(not abs(fake(X).numpy() - actual).max() < 1e-3)
