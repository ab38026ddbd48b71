"""torch.compile: native_group_norm of a vector fails; eager computes it (torch 2.13.0). Exit code 1: the bug reproduces; 0: it does not."""

import sys

import torch


def model(x):
    return torch.native_group_norm(x, None, None, 1, 1, 1, 1, 1e-5)[0]


X = torch.ones(1)
print("expected:", model(X).tolist(), flush=True)
try:
    actual = torch.compile(model, backend="aot_eager")(X)
except Exception as error:
    sys.exit("actual: " + " ".join(str(error).split("got ")[-1].split("Hint")[0].split())[:300])
print("actual:  ", actual.tolist())
