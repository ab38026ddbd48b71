"""torch.export: istft of one point fails (torch 2.13.0). Exit code 1: the bug reproduces; 0: it does not."""

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
