"""Runs models: references, targets, comparison, repro scripts. docs/explanation/architecture.md describes the folders."""
