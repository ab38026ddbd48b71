"""A traced resize_as fails: torch 2.13.0. Exit code 1: the bug is there; 0: it is not."""

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
