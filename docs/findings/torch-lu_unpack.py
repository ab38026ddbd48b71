"""torch.lu_unpack with fewer matrices than pivots, or with more columns than rows: SIGSEGV or SIGABRT."""

import torch

print("expected: an exception, or a result at once", flush=True)
for dims, pivots in (([0, 3, 5], [1, 3]), ([2, 3, 3, 3, 5], [3, 3])):
    for _ in range(20):
        answer = torch.lu_unpack(torch.rand(dims), torch.randint(1, 3, pivots, dtype=torch.int32))
        print([t.shape for t in answer])
