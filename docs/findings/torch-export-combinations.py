"""torch.export: combinations fails (torch 2.13.0). Exit code 1: the bug reproduces; 0: it does not."""

import sys

import torch


class Model(torch.nn.Module):
    def forward(self, x):
        return torch.combinations(x, 2)


X = torch.arange(3.0)
print("expected:", Model()(X).tolist())
try:
    actual = torch.export.export(Model(), (X,), strict=False).module()(X)
except Exception as error:
    sys.exit(f"actual: {type(error).__name__}: " + " ".join(str(error).split())[:160])
print("actual:  ", actual.tolist())
