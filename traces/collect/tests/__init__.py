"""Unit tests of the collector: python3 -m unittest discover -s traces/collect/tests -t ."""
