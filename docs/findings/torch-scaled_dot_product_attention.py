"""On the CPU scaled_dot_product_attention takes a value that is longer than the key, and reads on behind the key."""

import sys

import torch

memory = torch.zeros(1, 1, 6, 8)
memory[..., 5, :] = 50.0  # what stands behind the key
query, key, value = torch.ones(1, 1, 1, 8), memory[..., :5, :], torch.zeros(1, 1, 6, 8)
value[..., 5, :] = 1.0  # what the row that the key does not have selects
try:
    y = torch.nn.functional.scaled_dot_product_attention(query, key, value)
except RuntimeError as error:
    print("refused, as it should be:", error)
    sys.exit(0)
print("expected: a RuntimeError")
print("actual:  ", y.flatten()[0].item(), "where 1 is the row behind the key")
sys.exit(1)
