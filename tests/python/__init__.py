"""Tests of the package rulefuzz: python -m unittest discover -s tests/python -t . (with PYTHONPATH=runtime/python)."""
