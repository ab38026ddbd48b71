"""One folder a framework: the only code that imports it."""
