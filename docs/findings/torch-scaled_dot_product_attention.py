"""torch: scaled_dot_product_attention with a longer value reads past the key (torch 2.13.0). Exit code 1: the bug reproduces; 0: it does not."""

import sys

import torch

memory = torch.zeros(1, 1, 6, 8)
memory[..., 5, :] = 50.0  # the row after the key
query, key, value = torch.ones(1, 1, 1, 8), memory[..., :5, :], torch.zeros(1, 1, 6, 8)
value[..., 5, :] = 1.0  # selected by the row past the key
try:
    y = torch.nn.functional.scaled_dot_product_attention(query, key, value)
except RuntimeError as error:
    print("rejected:", error)
    sys.exit(0)
print("expected: a RuntimeError")
print("actual:  ", y.flatten()[0].item(), "where 1 is the row behind the key")
sys.exit(1)
