"""torch: fractional_max_pool accepts a kernel size of -1 (torch 2.13.0). Exit code 1: the bug reproduces; 0: it does not."""

import sys

import torch

print("expected: an error", flush=True)
try:
    actual, indices = torch.nn.functional.fractional_max_pool2d_with_indices(torch.ones(1, 1, 1), -1, output_size=2)
except Exception as error:
    sys.exit(print("rejected:", error))
print("actual:  ", actual.tolist(), indices.tolist())
sys.exit(1)
