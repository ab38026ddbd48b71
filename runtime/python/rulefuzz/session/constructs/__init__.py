"""Python constructs, a row each; construct.py specifies the text of a row."""
