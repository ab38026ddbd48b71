"""What rulefuzz runs in Python: reference runs, targets, comparison, repro scripts. docs/architecture.md has the map."""
