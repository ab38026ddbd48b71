"""User-defined operators: from a call, or a signature, to records (docs/guides/your-own-operator.md)."""
