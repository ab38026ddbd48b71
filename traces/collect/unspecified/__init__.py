"""Unspecified results: single calls on special inputs, by independent implementations."""
