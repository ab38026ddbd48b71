"""Coverage of the sources by the tests: `profiles` runs them and keeps the counters, `table` adds them up."""
