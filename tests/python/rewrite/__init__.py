"""Exporters and model rewriters."""
