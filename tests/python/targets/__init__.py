"""Tests of the targets."""
