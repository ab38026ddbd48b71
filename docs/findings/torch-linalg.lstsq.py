"""torch.linalg.lstsq(driver="gelss") with a right side without columns: SIGSEGV, or the process hangs in LAPACK."""

import torch

for _ in range(20):
    print(torch.linalg.lstsq(torch.rand(3, 3, 3, 3), torch.rand(3, 3, 0), driver="gelss").solution.shape)
