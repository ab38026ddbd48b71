"""A framework for tests of the collector: three operators on tensors that have a shape and a dtype only."""
