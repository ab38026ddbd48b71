"""The operator of upscale.cpp, from the library that the test built of it."""

import os

import torch

torch.ops.load_library(os.environ["UPSCALE_LIBRARY"])
upscale = torch.ops.rulesmith_test.upscale
