"""Names of the passes of targets, one file for each target whose passes can be disabled."""
