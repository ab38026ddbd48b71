"""TensorFlow: its raw operators."""
