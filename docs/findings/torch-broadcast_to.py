"""torch.broadcast_to accepts a size of -1 for a new dimension and returns a tensor of shape (-1, 0)."""

import sys

import torch

x = torch.broadcast_to(torch.tensor(1.0), (-1, 0))
print("expected: a RuntimeError, as for torch.empty((-1, 0))")
print("actual:  ", tuple(x.shape))
sys.exit(x.shape[0] < 0)
