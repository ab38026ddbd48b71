"""What the tests run of the sources: `profiles` runs them and keeps what each reached, `table` adds that up."""
