"""Patterns of calls in real models: models from configurations, with random weights, as files and as calls."""
