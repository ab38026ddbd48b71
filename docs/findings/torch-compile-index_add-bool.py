"""torch.compile: index_add of bools with alpha does not compile in inductor (torch 2.13.0). Exit code 1: the bug reproduces; 0: it does not."""

import sys

import torch

X, INDEX = torch.ones(1, dtype=torch.bool), torch.tensor([0])


def model(x):
    return x.index_add(0, INDEX, x, alpha=-1)


print("expected:", model(X).tolist())
try:
    actual = torch.compile(model)(X)
except Exception as error:
    sys.exit("actual: " + " ".join(str(error).split())[:200])
print("actual:  ", actual.tolist())
