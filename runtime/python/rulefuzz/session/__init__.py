"""Sessions: a program is compiled once and called several times, and something changes between the calls.

    constructs/*.txt  Python constructs around parts of a model's calls, a row each
    changes.py        changes between two calls
    program.py        the source text of the program and of its calls
    driver.py         runs the calls and compares; copied into scripts
    compilers.py      compiles a program for a target; copied into scripts

A script has the text of the program that ran.
"""
