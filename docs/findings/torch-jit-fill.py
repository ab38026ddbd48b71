"""torch.jit: a traced fill fails with an internal assertion (torch 2.13.0). Exit code 1: the bug reproduces; 0: it does not."""

import sys

import torch

X = torch.ones(2, dtype=torch.int32)
print("expected:", torch.fill(X, True).tolist())
try:
    traced = torch.jit.trace(lambda x: torch.fill(x, True), (X,), check_trace=False)
    traced(X)
    actual = traced(X)
except RuntimeError as error:
    sys.exit("actual: " + " ".join(str(error).split())[:300])
print("actual:  ", actual.tolist())
