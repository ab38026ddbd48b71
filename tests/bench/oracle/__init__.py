"""What the oracle's excuses hide."""
