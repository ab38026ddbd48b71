"""torch.compile: g++ 12 dies of inductor's code for signbit of 4 to 7 bfloat16: torch 2.13.0. Exit code 1: the bug is there; 0: it is not."""

import sys

import torch

X = -torch.ones(7, dtype=torch.bfloat16)
print("expected:", torch.signbit(X).tolist(), flush=True)
try:
    actual = torch.compile(torch.signbit)(X)
except Exception as error:
    lines = [line.split("error: ")[-1] for line in str(error).splitlines() if "error: " in line]
    sys.exit("actual:   " + " ".join([type(error).__name__, *lines])[:300])
print("actual:  ", actual.tolist())
