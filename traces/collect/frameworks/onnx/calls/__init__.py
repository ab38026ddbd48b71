"""Calls of ONNX operators that no test case shows."""
