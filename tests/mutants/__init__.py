"""Small faults planted in the C sources, one at a time: do the tests notice? `make mutants`; docs/mutants.md."""
