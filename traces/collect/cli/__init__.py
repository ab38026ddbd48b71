"""The commands: python -m traces.collect.cli.NAME."""
