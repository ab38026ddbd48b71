"""One version of a framework for `rulesmith diff`: its answers to calls, and its API."""
