"""torch: lu_unpack with pivots that do not fit the matrix crashes (torch 2.13.0). A signal kills the process if the bug reproduces; exit code 0: it does not."""

import torch

print("expected: an exception, or a result at once", flush=True)
for dims, pivots in (([0, 3, 5], [1, 3]), ([2, 3, 3, 3, 5], [3, 3])):
    for _ in range(20):
        answer = torch.lu_unpack(torch.rand(dims), torch.randint(1, 3, pivots, dtype=torch.int32))
        print([t.shape for t in answer])
