"""torch: linalg.lstsq with 0 right-hand sides crashes (torch 2.13.0). A signal kills the process if the bug reproduces; exit code 0: it does not."""

import torch

print("expected: an exception, or a result at once", flush=True)
for _ in range(20):
    print(torch.linalg.lstsq(torch.rand(3, 3, 3, 3), torch.rand(3, 3, 0), driver="gelss").solution.shape)
