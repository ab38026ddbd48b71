"""Calls of PyTorch modules: the operands that are weights, and patterns of calls."""
