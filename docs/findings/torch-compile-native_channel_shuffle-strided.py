"""torch.compile: native_channel_shuffle of a permuted image fails (torch 2.13.0). Exit code 1: the bug reproduces; 0: it does not."""

import sys

import torch

X = torch.arange(8).view(1, 2, 2, 2).permute(0, 2, 1, 3)
print("expected:", torch.native_channel_shuffle(X, 2).flatten().tolist())
try:
    actual = torch.compile(lambda x: torch.native_channel_shuffle(x, 2), backend="aot_eager")(X)
except Exception as error:
    sys.exit("actual: " + " ".join(str(error).split()).partition("got ")[2][:200])
print("actual:  ", actual.flatten().tolist())
