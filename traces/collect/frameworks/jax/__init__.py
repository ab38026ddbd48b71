"""JAX: a small example with 20 functions; docs/guides/add-a-framework.md builds it step by step."""
