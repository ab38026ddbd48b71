"""Tests of the targets, which compile models."""
