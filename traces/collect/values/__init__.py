"""Classes of element values."""
