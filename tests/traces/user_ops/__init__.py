"""Tests of traces/collect/user_ops."""
