"""Targets that rewrite a model for another runtime: one module per format of the rewritten model."""
