"""Tests of the trials of dtypes."""
