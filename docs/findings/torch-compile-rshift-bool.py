"""torch.compile: shift of bools fails; eager computes it (torch 2.13.0). Exit code 1: the bug reproduces; 0: it does not."""

import sys

import torch

X = torch.tensor([True, False])
print("expected:", X.__rshift__(0).tolist())
try:
    actual = torch.compile(lambda x: x.__rshift__(0), backend="aot_eager")(X)
except Exception as error:
    sys.exit("actual: " + " ".join(str(error).split())[:300])
print("actual:  ", actual.tolist())
