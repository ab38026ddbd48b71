"""JAX: its public functions, called as their documentation and annotations say (docs/guides/add-a-framework.md)."""
