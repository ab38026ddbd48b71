"""Mutation testing of the C sources: small faults are planted one at a time, and the tests must fail (`make mutants`)."""
