"""torch.compile: view_copy of non-contiguous rows fails; eager copies (torch 2.13.0). Exit code 1: the bug reproduces; 0: it does not."""

import sys

import torch

X = torch.arange(8).view(2, 4)[:, :2]
print("expected:", torch.view_copy(X, [4]).tolist())
try:
    actual = torch.compile(lambda x: torch.view_copy(x, [4]))(X)
except Exception as error:
    sys.exit("actual: " + " ".join(str(error).split())[:200])
print("actual:  ", actual.tolist())
