"""Models as programs: the source of a function, and scripts that reproduce a finding with the framework alone."""
