"""torch.fft.ihfftn of one dimension leaves out= as it is: torch 2.13.0. Exit code 1: the bug is there; 0: it is not."""

import sys

import torch

X, OUT = torch.rand(40), torch.empty(0, dtype=torch.complex64)
expected = torch.fft.ihfftn(X).shape
print("expected:", expected)
torch.fft.ihfftn(X, out=OUT)
print("actual:  ", OUT.shape)
sys.exit(OUT.shape != expected)
