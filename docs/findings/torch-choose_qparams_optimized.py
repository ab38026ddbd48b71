"""torch: choose_qparams_optimized with n_bins = -1 hangs (torch 2.13.0). A signal kills the process if the bug reproduces; exit code 0: it does not."""

import signal

import torch

print("expected: an exception, or a result at once", flush=True)
signal.alarm(10)
print(torch.choose_qparams_optimized(torch.rand(4), 2, -1, 0.5, 2))
