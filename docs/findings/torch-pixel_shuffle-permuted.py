"""torch: pixel_shuffle rejects a permuted 5-D tensor (torch 2.13.0). Exit code 1: the bug reproduces; 0: it does not."""

import sys

import torch

X = torch.ones(1, 4, 5, 2, 3).to(memory_format=torch.channels_last_3d)
print("expected:", tuple(torch.pixel_shuffle(X.contiguous(), 1).shape))
try:
    actual = torch.pixel_shuffle(X, 1)
except RuntimeError as error:
    sys.exit(f"actual: {error}")
print("actual:  ", tuple(actual.shape))
