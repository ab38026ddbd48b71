"""torch.jit 1.13.1: gradient of log_softmax from half to float fails (torch 1.13.1 as Debian 12 packs it; also torch 2.13.0). Exit code 1: the bug reproduces; 0: it does not."""

import sys

import torch

X = torch.tensor([1.0, 3.0]).half()


class Model(torch.nn.Module):
    def forward(self, x):
        return torch.nn.functional.log_softmax(x, 0, dtype=torch.float32) * 2


def gradient(function):
    return torch.autograd.grad(function(x := X.clone().requires_grad_()).sum(), x)[0]


print("expected:", gradient(Model()).tolist())
try:
    traced = torch.jit.freeze(torch.jit.trace(Model().eval(), (X,), check_trace=False))
    print("actual:  ", (actual := [gradient(traced) for _ in range(3)][2]).tolist())
except RuntimeError as error:
    sys.exit("actual: " + " ".join(str(error).split())[-200:])
sys.exit(not torch.allclose(actual, gradient(Model()), equal_nan=True))
