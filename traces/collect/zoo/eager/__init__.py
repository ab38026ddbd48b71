"""What PyTorch modules call: which operands are weights, and patterns of calls."""
