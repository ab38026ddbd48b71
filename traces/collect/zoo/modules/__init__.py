"""Modules of PyTorch with inputs: architectures, blocks and layers."""
