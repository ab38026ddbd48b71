"""Which combinations of dtypes an API accepts: a recorded call run with other dtypes, one more at a time."""
