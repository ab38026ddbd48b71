"""Tests of what judges models."""
