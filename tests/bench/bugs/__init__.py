"""How many publicly reported bugs a campaign finds: `make bench-bugs BUGS=DIR` (docs/measurements/bugs.md).

`cases` reads the list, `environments` provides a version's Python, `campaign` runs rulefuzz, `matching` compares
findings with the list, `report` prints the result.
"""
