"""Kinds of user-defined operators other than plain functions."""
