"""Tests of traces/collect/own."""
