#!/bin/sh
# Every command of both programs: each option that its --help names, with values that cannot be, is an error with a reason.
. tests/cli/tap.sh
for program in rulefuzz rulesmith; do
	check "$program: what --help names" python3 tests/cli/runtime/cli/options.py "$(realpath "$BUILD/$program")" "$tmp"
	sed 's/^/# /' "$tmp/out" | head -30
done
echo "1..$n"
