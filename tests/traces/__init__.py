"""Tests of traces/collect: python3 -m unittest discover -s tests/traces -t ."""

import traces.collect  # noqa: F401  has Python find the package rulefuzz in the source tree
