"""TensorFlow: its raw operators."""

import rulefuzz.frameworks.tensorflow_evaluate as first  # sets TensorFlow's switches, for which any other import of it is too late

__all__ = ["first"]
