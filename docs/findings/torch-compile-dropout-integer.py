"""torch.compile: dropout of integers with p = 1 fails (torch 2.13.0). Exit code 1: the bug reproduces; 0: it does not."""

import sys

import torch

X = torch.tensor([1, 2])
print("expected:", torch.dropout(X, 1.0, True).tolist())
try:
    actual = torch.compile(lambda x: torch.dropout(x, 1.0, True), backend="aot_eager")(X)
except Exception as error:
    sys.exit("actual: " + " ".join(str(error).split())[:200])
print("actual:  ", actual.tolist())
