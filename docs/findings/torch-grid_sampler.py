"""torch: grid_sampler with an unknown mode returns uninitialized memory (torch 2.13.0). Exit code 1: the bug reproduces; 0: it does not."""

import ctypes
import sys

import torch

ctypes.CDLL(None).mallopt(-6, 0xB4)  # glibc M_PERTURB: malloc fills memory with 0x4b
x, grid = torch.rand(1, 1, 3, 3), torch.rand(1, 2, 2, 2)
print("expected: a RuntimeError")
try:
    actual = torch.grid_sampler(x, grid, 3, 0, False)
except RuntimeError as error:
    print("actual:  ", error)
    sys.exit(0)
print("actual:  ", actual.tolist())
sys.exit(1)
