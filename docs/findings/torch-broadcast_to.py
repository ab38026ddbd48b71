"""torch: broadcast_to creates a tensor of shape (-1, 0) (torch 2.13.0). Exit code 1: the bug reproduces; 0: it does not."""

import sys

import torch

x = torch.broadcast_to(torch.tensor(1.0), (-1, 0))
print("expected: a RuntimeError, as for torch.empty((-1, 0))")
print("actual:  ", tuple(x.shape))
sys.exit(x.shape[0] < 0)
