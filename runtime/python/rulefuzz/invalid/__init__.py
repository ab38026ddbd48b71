"""Invalid models."""
