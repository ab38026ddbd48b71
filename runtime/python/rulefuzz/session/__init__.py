"""Sessions: a program is compiled once and called several times, and something changes between the calls.

    constructs/*.txt  Python constructs around parts of a model's calls, a row each.
    changes.py        Changes between two calls.
    program.py        The source text of the program and of its calls.
    driver.py         Runs the calls and compares. Scripts have a copy.
    compilers.py      Compiles a program for a target. Scripts have a copy.

A script has the text of the program that ran.
"""
