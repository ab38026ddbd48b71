"""Tests of the module rulesmith on the library that was built."""
