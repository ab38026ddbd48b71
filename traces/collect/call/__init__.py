"""The structure of a call, independent of any framework."""
