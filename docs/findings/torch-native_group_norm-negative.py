"""torch: native_group_norm accepts negative sizes (torch 2.13.0). Exit code 1: the bug reproduces; 0: it does not."""

import sys

import torch

try:
    actual = torch.native_group_norm(torch.arange(4.0), None, None, 4, -1, -1, 1, 1e-5)
except RuntimeError as error:
    print("actual:  ", error)
    sys.exit(0)
print("expected: RuntimeError")
print("actual:  ", [t.tolist() for t in actual])
sys.exit(1)
