"""torch.compile: slice_inverse fails (torch 2.13.0). Exit code 1: the bug reproduces; 0: it does not."""

import sys

import torch

X = torch.ones(2)
print("expected:", X.slice_inverse(X, 0, 0, 2, 1).tolist())
try:
    actual = torch.compile(lambda x: x.slice_inverse(x, 0, 0, 2, 1), backend="aot_eager")(X)
except Exception as error:
    sys.exit("actual: " + " ".join(str(error).split())[:300])
print("actual:  ", actual.tolist())
