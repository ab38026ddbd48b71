"""torch.compile: grouped_mm of float32 fails; eager computes it (torch 2.13.0). Exit code 1: the bug reproduces; 0: it does not."""

import sys

import torch

X = torch.ones(1, 4, 4)
print("expected:", torch.nn.functional.grouped_mm(X, X)[0, 0].tolist())
try:
    actual = torch.compile(torch.nn.functional.grouped_mm, backend="aot_eager")(X, X)
except Exception as error:
    sys.exit("actual: " + " ".join(str(error).split())[:400])
print("actual:  ", actual[0, 0].tolist())
