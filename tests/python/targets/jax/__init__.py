"""Tests of the targets of JAX."""
