"""pixel_shuffle of a permuted tensor of five dimensions is refused by eager, whatever the factor; of its copy it is not."""

import torch

x = torch.arange(120.0).reshape(5, 2, 3, 4, 1).permute(4, 3, 0, 1, 2)  # lies in memory as channels_last_3d
print("expected:", torch.pixel_shuffle(x.contiguous(), 1).shape)
print("actual:", torch.pixel_shuffle(x, 1).shape)
