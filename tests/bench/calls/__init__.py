"""Ordinary calls of frameworks, as users write them, and how many of them the rules answer rightly."""
