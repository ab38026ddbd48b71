"""Runs of calls that a file has as one: what a model says of them, and how a framework has them."""
