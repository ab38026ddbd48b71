"""Tests of rulefuzz.script."""
