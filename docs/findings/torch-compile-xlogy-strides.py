"""torch.compile: xlogy returns the layout of its second operand (torch 2.13.0). Exit code 1: the bug reproduces; 0: it does not."""

import sys

import torch

INPUTS = torch.ones(2, 2).t(), torch.ones(2, 2)
expected = torch.xlogy(*INPUTS).stride()
print("expected:", expected)
actual = torch.compile(torch.xlogy)(*INPUTS).stride()
print("actual:  ", actual)
sys.exit(actual != expected)
