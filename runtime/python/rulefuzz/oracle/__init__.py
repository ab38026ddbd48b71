"""The oracle: a model by reference and target, what differs, and what of it says nothing."""
