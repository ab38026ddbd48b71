"""Compiling for dimensions that vary, a file a framework."""
