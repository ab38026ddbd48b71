"""torch.compile writes 64-bit integers into a result of bools, beyond its end: add with alpha: torch 2.13.0."""

import torch


def model(x, y):
    return torch.add(x, y, alpha=3)


x, y = torch.ones(32, dtype=torch.bool), torch.zeros(32, dtype=torch.bool)
expected = model(x, y).tolist()
print("expected:", expected[:4], flush=True)
actual = torch.compile(model)(x, y).tolist()
print("actual:  ", actual[:4], flush=True)
raise SystemExit(int(actual != expected))
