"""TensorFlow: its raw operators."""

import rulefuzz.frameworks.tensorflow_evaluate as first  # sets its flags, which must happen before any other import of it

__all__ = ["first"]
