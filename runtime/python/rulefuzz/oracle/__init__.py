"""The oracle: runs a model on reference and target, compares the results, and excuses unspecified differences."""
