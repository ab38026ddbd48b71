"""torch.compile: add of bools with alpha writes past the result's end (torch 2.13.0). A signal kills the process if the bug reproduces; exit code 0: it does not."""

import torch


def model(x, y):
    return torch.add(x, y, alpha=3)


x, y = torch.ones(32, dtype=torch.bool), torch.zeros(32, dtype=torch.bool)
expected = model(x, y).tolist()
print("expected:", expected[:4], flush=True)
actual = torch.compile(model)(x, y).tolist()
print("actual:  ", actual[:4], flush=True)
raise SystemExit(int(actual != expected))
