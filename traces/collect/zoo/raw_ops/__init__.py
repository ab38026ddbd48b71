"""TensorFlow's raw operators in programs, with data flow."""
