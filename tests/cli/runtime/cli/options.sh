#!/bin/sh
# Every command of both programs: bad values of each option in --help are an error with a reason.
. tests/cli/tap.sh
if sanitized; then ok "options # SKIP 1,200 starts of a program with a sanitizer take a minute" && echo 1..1 && exit; fi
for program in rulefuzz rulesmith; do
	check "$program: bad values of all options" python3 tests/cli/runtime/cli/options.py "$(realpath "$BUILD/$program")" "$tmp"
	sed 's/^/# /' "$tmp/out" | head -30
done
echo "1..$n"
