"""Models as programs: the source of a function, and scripts that show a finding and need the framework alone."""
