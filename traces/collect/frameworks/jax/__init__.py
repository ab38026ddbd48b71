"""JAX: a small example, 20 functions; docs/adding-a-framework.md builds it step by step."""
