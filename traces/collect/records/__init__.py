"""From calls to the lines of record files."""
