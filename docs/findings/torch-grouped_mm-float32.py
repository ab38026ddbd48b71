"""grouped_mm of float32: eager computes it, FakeTensor, and so torch.compile, demands bfloat16."""

import torch

x = torch.ones(4, 4, 4)
f = torch.nn.functional.grouped_mm
print("expected:", f(x, x).shape)
print("actual:", torch.compile(f, backend="aot_eager")(x, x).shape)
