"""Compilation with dynamic shapes, one file per framework."""
