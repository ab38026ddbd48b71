"""The combinations of dtypes that an API accepts: recorded calls run with other dtypes, changed one at a time."""
