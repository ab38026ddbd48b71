#!/bin/sh
# Runs the linters, all of them even if one fails: the house, the layers of the collector, plain English, ruff and mypy.
# The last two need the environment that `.ci/run lint` makes and are skipped without it. usage: lint.sh
set -u
cd "$(dirname "$0")/.." || exit 1
venvs=${RULESMITH_VENVS:-${XDG_CACHE_HOME:-$HOME/.cache}/rulesmith/venv} status=0
lint() { # lint WHAT COMMAND…: prints what the command found
	what=$1
	shift
	if told=$("$@" 2>&1); then echo "ok     $what"; else
		echo "FAILED $what"
		printf '%s\n' "$told" | tail -20
		status=1
	fi
}
lint house .ci/house.py --but export # `make test` builds the archive that this one reads
lint layers env PYTHONPATH=. python3 -m unittest tests.traces.test_imports
lint prose python3 -m tests.prose
tools=$(ls -d "$venvs"/lint-*/bin 2>/dev/null | tail -1)
if [ -n "$tools" ]; then
	lint ruff "$tools/ruff" check
	lint mypy "$tools/mypy"
else
	echo "skip   ruff, mypy: no environment in $venvs; .ci/run lint makes it"
fi
exit $status
