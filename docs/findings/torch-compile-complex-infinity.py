"""torch.compile: generated code contains the undefined name infj (torch 2.13.0). Exit code 1: the bug reproduces; 0: it does not."""

import sys

import torch


def model(x):
    return x + torch.full((1,), complex(0, float("inf")))


X = torch.ones(1, dtype=torch.complex64)
print("expected:", model(X).tolist())
try:
    actual = torch.compile(model, backend="aot_eager")(X)
except NameError as error:
    sys.exit(f"actual: NameError: {error}")
print("actual:  ", actual.tolist())
