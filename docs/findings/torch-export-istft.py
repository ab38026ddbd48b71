"""torch.export fails on istft of one point: torch 2.13.0. Exit code 1: the bug is there; 0: it is not."""

import sys

import torch


class Model(torch.nn.Module):
    def forward(self, x):
        return x.istft(n_fft=1, hop_length=1, center=False)


X = torch.ones(1, 1, dtype=torch.complex64)
print("expected:", Model()(X).tolist())
try:
    actual = torch.export.export(Model(), (X,), strict=False).module()(X)
except Exception as error:
    sys.exit("actual: " + " ".join(str(error).split())[:200])
print("actual:  ", actual.tolist())
