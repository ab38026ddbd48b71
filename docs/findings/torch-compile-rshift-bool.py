"""torch.compile refuses the shift of bools that eager computes: torch 2.13.0. Exit code 1: the bug is there; 0: it is not."""

import sys

import torch

X = torch.tensor([True, False])
print("expected:", X.__rshift__(0).tolist())
try:
    actual = torch.compile(lambda x: x.__rshift__(0), backend="aot_eager")(X)
except Exception as error:
    sys.exit("actual: " + " ".join(str(error).split())[:300])
print("actual:  ", actual.tolist())
