"""Tests of traces/collect: python3 -m unittest discover -s tests/traces -t ."""
