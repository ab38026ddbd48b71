"""One folder per framework: the only code that imports it."""
