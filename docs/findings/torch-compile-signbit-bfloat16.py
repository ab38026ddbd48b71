"""torch.compile: signbit of 4 to 7 bfloat16 elements does not compile (torch 2.13.0 with AVX-512, g++ 12.2.0). Exit code 1: the bug reproduces; 0: it does not."""

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
