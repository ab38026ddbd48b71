"""torch.jit: a traced resize_as fails with unordered_map::at (torch 2.13.0). Exit code 1: the bug reproduces; 0: it does not."""

import sys

import torch


def model(x, y):
    return x.resize_as(y)


X, Y = torch.ones(2), torch.zeros(2)
print("expected:", model(X, Y).tolist())
try:
    traced = torch.jit.trace(model, (X, Y), check_trace=False)
    traced(X, Y)
    actual = traced(X, Y)
except (RuntimeError, IndexError) as error:
    sys.exit(f"actual: {error}")
print("actual:  ", actual.tolist())
