"""Calls that write to memory."""
