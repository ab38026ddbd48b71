"""Faults of optimizers that tests plant, one file per framework."""
