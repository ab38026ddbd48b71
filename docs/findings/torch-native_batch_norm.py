"""torch: native_batch_norm with short running statistics corrupts memory (torch 2.13.0). A signal kills the process if the bug reproduces; exit code 0: it does not."""

import torch

print("expected: an exception, or a result at once", flush=True)
for training, x, vectors in ((True, [4, 16, 16, 4], [1, 1, 16, 1]), (False, [3, 2, 3, 4], [2, 2, 0, 2])):
    for _ in range(50):
        rest = [torch.rand(n) for n in vectors]
        print([t.shape for t in torch.native_batch_norm(torch.rand(x), *rest, training, -1.0, 0.5)])
