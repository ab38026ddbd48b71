"""torch.compile: gradient of rad2deg before sgn crashes (torch 2.13.0). A signal kills the process if the bug reproduces; exit code 0: it does not."""

import torch

print("expected:", [0.0], flush=True)
x = torch.ones(1, requires_grad=True)
torch.compile(lambda x: torch.rad2deg(x).sgn(), backend="inductor")(x).sum().backward()
print("actual:  ", x.grad.tolist())
