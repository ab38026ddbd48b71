"""Calls that write to tensors that live on, and results that share memory."""
