"""Calls with attributes, and values of attributes, that no record of an operator's version has."""
