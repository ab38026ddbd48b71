"""Tests of traces/collect/zoo that need a framework."""
