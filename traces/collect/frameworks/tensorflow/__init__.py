"""TensorFlow: its raw operators."""

import rulefuzz.frameworks.tensorflow_evaluate as first  # sets its switches; any other import of it is too late for that

__all__ = ["first"]
