"""torch.compile loses a conjugate in pinv of a wide complex matrix: torch 2.13.0. Exit code 1: the bug is there; 0: it is not."""

import sys

import torch

X = torch.tensor([[1 + 1j, 0]], dtype=torch.complex64)
EXPECTED = torch.linalg.pinv(X)
print("expected:", EXPECTED.tolist(), flush=True)
actual = torch.compile(torch.linalg.pinv, backend="aot_eager")(X)
print("actual:  ", actual.tolist())
sys.exit(not torch.allclose(actual, EXPECTED, atol=1e-5))
