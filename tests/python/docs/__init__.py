"""Tests of what is in docs."""
