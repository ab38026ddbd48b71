"""torch takes a kernel of -1 in fractional_max_pool: torch 2.13.0. Exit code 1: the bug is there; 0: it is not."""

import sys

import torch

print("expected: an error", flush=True)
try:
    actual, indices = torch.nn.functional.fractional_max_pool2d_with_indices(torch.ones(1, 1, 1), -1, output_size=2)
except Exception as error:
    sys.exit(print("refused: ", error))
print("actual:  ", actual.tolist(), indices.tolist())
sys.exit(1)
