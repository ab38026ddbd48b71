"""torch.compile: multilabel_margin_loss counts padding as classes (torch 2.13.0). Exit code 1: the bug reproduces; 0: it does not."""

import sys

import torch

X, TARGET = torch.tensor([0.0, 2.0]), torch.tensor([0, -1])
expected = torch.nn.functional.multilabel_margin_loss(X, TARGET)
print("expected:", expected.item())
actual = torch.compile(torch.nn.functional.multilabel_margin_loss, backend="aot_eager")(X, TARGET)
print("actual:  ", actual.item())
sys.exit(not torch.allclose(actual, expected))
