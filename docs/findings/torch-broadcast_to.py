"""torch.broadcast_to accepts a size of -1 for a new dimension and returns a tensor of shape (-1, 0)."""

import sys

import torch

x = torch.broadcast_to(torch.tensor(1.0), (-1, 0))
print("shape:", tuple(x.shape), "expected: a RuntimeError, as for torch.empty((-1, 0))")
sys.exit(x.shape[0] < 0)
