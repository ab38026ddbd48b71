"""Plain calls of an API, made from its own signature and its recorded calls (docs/guides/regenerate-rules.md)."""
