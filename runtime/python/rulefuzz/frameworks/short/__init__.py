"""Short scripts of a finding: a framework's calls, written as people would."""
