"""torch: addcmul of integers truncates a value of 3.9 to 3 (torch 2.13.0). Exit code 1: the bug reproduces; 0: it does not."""

import sys

import torch

X = torch.tensor([2])
print("expected: an error")
try:
    actual = torch.addcmul(X, X, X, value=3.9)
except (RuntimeError, ValueError) as error:
    sys.exit(print("rejected:", error))
print("actual:  ", actual.tolist())
sys.exit(1)
