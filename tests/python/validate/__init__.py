"""Tests of rulefuzz.validate."""
