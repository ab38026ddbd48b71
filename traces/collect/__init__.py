"""Collects operator records from the frameworks: see docs/traces.md and traces/SCHEMA.md."""
