"""torch: Tensor.addbmm_ changes the shape of its operand (torch 2.13.0). Exit code 1: the bug reproduces; 0: it does not."""

import sys

import torch

X, A, B = torch.rand(5, 1), torch.rand(5, 5, 5), torch.rand(5, 5, 33)
try:
    X.clone().add_(torch.rand(5, 33))
except RuntimeError as error:
    print("expected: error, as that of add_:", error)
try:
    actual = X.clone().addbmm_(A, B)
except RuntimeError as error:
    sys.exit(print("actual:   error:", error))
print("actual:  ", tuple(actual.shape))
sys.exit(1)
