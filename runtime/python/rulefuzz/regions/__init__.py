"""Parts of a model that run within a transform: torch.func, autograd.Function, autocast, control flow."""
