"""torch: max of an empty tensor is accepted with out= (torch 2.13.0). Exit code 1: the bug reproduces; 0: it does not."""

import sys

import torch

X = torch.rand(0, 5)
try:
    torch.max(X)
except RuntimeError as error:
    print("expected: error:", error)
try:
    actual = torch.max(X, out=torch.empty(0))
except RuntimeError as error:
    sys.exit(print("actual:   error:", error))
print("actual:  ", tuple(actual.shape), actual.dtype)
sys.exit(1)
