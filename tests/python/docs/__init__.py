"""Tests of the checks in docs."""
