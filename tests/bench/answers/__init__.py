"""Questions about calls, asked of the rules and of the framework itself: see tests.bench.calls and tests.bench.dtypes."""
