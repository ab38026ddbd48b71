"""torch: gradient of max_pool2d writes out of bounds (torch 2.13.0). A signal kills the process if the bug reproduces; exit code 0: it does not."""

import torch

x = torch.ones(1, 1, 1, 1001, requires_grad=True)
print("expected: indices below 1001, and gradients of no more than the input", flush=True)
for _ in range(100):
    y, indices = torch.nn.functional.max_pool2d(x, 2, padding=1, dilation=2, return_indices=True)
    (gradient,) = torch.autograd.grad(y.sum(), x)
print("actual:   indices up to", indices.max().item(), "gradients", gradient.sum().item())
raise SystemExit(indices.max().item() >= x.numel())
