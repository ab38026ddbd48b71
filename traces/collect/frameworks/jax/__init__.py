"""JAX: its public functions, called according to their documentation and annotations (docs/guides/add-a-framework.md)."""
