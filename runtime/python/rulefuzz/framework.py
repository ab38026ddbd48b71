"""How a framework answers a call, whoever asks: this package or the collector."""

from __future__ import annotations


class Rejected(Exception):
    """The framework raised an exception."""


class Unanswered(Exception):
    """The call gave no answer that says anything about its validity."""
