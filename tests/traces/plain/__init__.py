"""Tests of traces/collect/plain."""
