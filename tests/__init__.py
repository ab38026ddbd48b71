"""Tests; the Python ones mirror the sources' folders."""
