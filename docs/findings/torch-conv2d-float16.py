"""torch.nn.functional.conv2d in float16 with groups, stride and dilation: SIGSEGV."""

import torch

x, w, b = (torch.rand(s, dtype=torch.float16) for s in ([3, 4, 8, 1], [2, 2, 2, 1], [2]))
print(torch.nn.functional.conv2d(x, w, b, stride=[3, 2], padding=[2, 5], groups=2, dilation=[4, 4]).shape)
