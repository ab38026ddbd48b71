"""torch: fft.ihfftn of a vector does not write to out= (torch 2.13.0). Exit code 1: the bug reproduces; 0: it does not."""

import sys

import torch

X, OUT = torch.rand(40), torch.empty(0, dtype=torch.complex64)
expected = torch.fft.ihfftn(X).shape
print("expected:", expected)
torch.fft.ihfftn(X, out=OUT)
print("actual:  ", OUT.shape)
sys.exit(OUT.shape != expected)
