"""torch.compile dies of the gradient of rad2deg in front of sgn: torch 2.13.0. Dies of SIGSEGV while the bug is there; exit code 0: it is not."""

import torch

print("expected:", [0.0], flush=True)
x = torch.ones(1, requires_grad=True)
torch.compile(lambda x: torch.rad2deg(x).sgn(), backend="inductor")(x).sum().backward()
print("actual:  ", x.grad.tolist())
