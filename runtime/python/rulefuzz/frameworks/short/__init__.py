"""The frameworks' parts of short scripts."""
