"""torch.grid_sampler with a mode that does not exist returns memory that nobody initialised: torch 2.13.0. Exit code 1: so."""

import ctypes
import sys

import torch

ctypes.CDLL(None).mallopt(-6, 0xB4)  # M_PERTURB: fresh memory is not zero
x, grid = torch.rand(1, 1, 3, 3), torch.rand(1, 2, 2, 2)
print("expected: a RuntimeError")
try:
    actual = torch.grid_sampler(x, grid, 3, 0, False)
except RuntimeError as error:
    print("actual:  ", error)
    sys.exit(0)
print("actual:  ", actual.tolist())
sys.exit(1)
