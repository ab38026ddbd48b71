"""Faults of optimisers that tests plant, a file a framework."""
