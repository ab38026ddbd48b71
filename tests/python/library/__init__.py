"""Tests of the module rulesmith on the built library."""
