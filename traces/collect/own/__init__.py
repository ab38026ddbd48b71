"""A user's own operators: from a call, or a signature, to records (docs/learn.md)."""
