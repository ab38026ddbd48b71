"""Runs of calls that a model file stores as functions or subgraphs."""
