"""Passes of targets: the names of passes that can be disabled, one file for each target, and the graphs after them."""
