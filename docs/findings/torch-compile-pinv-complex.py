"""torch.compile: pinv of a wide complex matrix loses a conjugate (torch 2.13.0). Exit code 1: the bug reproduces; 0: it does not."""

import sys

import torch

X = torch.tensor([[1 + 1j, 0]], dtype=torch.complex64)
EXPECTED = torch.linalg.pinv(X)
print("expected:", EXPECTED.tolist(), flush=True)
actual = torch.compile(torch.linalg.pinv, backend="aot_eager")(X)
print("actual:  ", actual.tolist())
sys.exit(not torch.allclose(actual, EXPECTED, atol=1e-5))
