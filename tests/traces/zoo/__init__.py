"""Tests of traces/collect/zoo."""
