#!/bin/sh
# Runs one module of Python tests in plain Python and in each installed framework's environment; each run skips the tests
# whose framework is missing. Prints TAP.   usage: module.sh tests/python/oracle/test_check.py
cd "$(dirname "$0")/.." || exit 1
venvs=${RULESMITH_VENVS:-${XDG_CACHE_HOME:-$HOME/.cache}/rulesmith/venv} status=0
run() { # run NAME PYTHON; a module that defines no tests there is skipped
	told=$(PYTHONPATH=runtime/python "$2" -m tests.tap "$(dirname "$module")" "$1: " "$(basename "$module")") || [ "$told" = 1..0 ] ||
		status=1
	printf '%s\n' "$told"
}
module=$1
run plain python3
for framework in torch onnx tensorflow jax; do
	[ ! -x "$venvs/$framework/bin/python" ] || run $framework "$venvs/$framework/bin/python"
done
exit $status
