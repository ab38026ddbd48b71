"""What one version of a framework says of calls and of its API, for `rulesmith diff`."""
