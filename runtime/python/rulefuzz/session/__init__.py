"""Sessions: a program is compiled once and called several times, and something changes between the calls.

    constructs/*.py   Python constructs around parts of a model's calls, a row each
    changes.py        what changes between two calls
    program.py        the source text of the program and of its calls
    driver.py         runs the calls, describes what Python sees, compares; copied into scripts
    compilers.py      how targets compile a program; copied into scripts

The text of the program that runs is the one that stands in a script.
"""
