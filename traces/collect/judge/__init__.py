"""Runs calls in a framework and classifies the results."""
