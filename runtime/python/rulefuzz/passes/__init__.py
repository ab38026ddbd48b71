"""Passes of targets: the names of those that can be disabled, one file for each target, and the graphs that they leave."""
