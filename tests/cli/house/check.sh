# make check: which tests tests/tiers.py chooses, and that a planted fault fails it. In copies of the tree.
. tests/cli/tap.sh
chosen() { # chosen SECONDS CHANGED…: the tests of make check, into $tmp/chosen
	python3 -m tests.tiers "$tmp/none" "$@" >"$tmp/chosen" 2>"$tmp/said"
}
has() { grep -qxF "tests/$1" "$tmp/chosen"; }
fails() { ! "$@"; }
check "tests are chosen" chosen 40 runtime/fuzz/triage.c
check "… many of them" test "$(wc -l <"$tmp/chosen")" -gt 20
chosen 1 runtime/base/suggest.c
check "with a small budget the test of the changed file comes first" has unit/runtime/base/test_suggest
check "… and few others" test "$(wc -l <"$tmp/chosen")" -lt 10
chosen 1 tests/unit/synth/rule/test_expr.c
check "so does a changed test" has unit/synth/rule/test_expr
# Measured durations: a slow test is omitted, and named if it is near the change.
mkdir "$tmp/measured"
printf 'tests/cli/runtime/cli/ci.sh\t30.5\ntests/unit/runtime/base/test_suggest\t30\n' >"$tmp/measured/durations.tsv"
python3 -m tests.tiers "$tmp/measured" 40 runtime/cli/cmd_ci.c >"$tmp/chosen" 2>"$tmp/said"
check "a slow test is omitted" sh -c "! grep -q 'cli/ci.sh' '$tmp/chosen'"
check "… and named" grep -qxF 'check: too slow: make test T=tests/cli/runtime/cli/ci.sh' "$tmp/said"
# Python: the modules of the changed file's folder, the nearest first, and no others.
printf 'tests/python/%s.py\t%s\n' oracle/test_blame 3 test_model 1 rewrite/test_rewriters 1 oracle/test_check 39 >"$tmp/measured/durations.tsv"
python3 -m tests.tiers "$tmp/measured" 40 runtime/python/rulefuzz/oracle/blame.py runtime/python/rulefuzz/oracle/near.py \
	>"$tmp/chosen" 2>"$tmp/said"
check "the Python test of a changed file is chosen" has python/oracle/test_blame.py
check "… and one of an enclosing folder" has python/test_model.py
check "… but none of another folder" fails has python/rewrite/test_rewriters.py
check "… and a slow one is named with its command" \
	grep -qxF 'check: too slow: tests/module.sh tests/python/oracle/test_check.py' "$tmp/said"
chosen 40 docs/guides/look-up-a-rule.md
check "tests of the documentation are near a changed page" grep -q 'T=tests/cli/house/docs.sh\|^check: .* [1-9] of [1-9]* near' "$tmp/said"
echo 'tests/x soon' >"$tmp/measured/durations.tsv"
expect "a bad line of durations" 1 'durations.tsv:1: error: expected TEST, tab, seconds' python3 -m tests.tiers "$tmp/measured" 40 a.c
expect "no budget" 1 '^usage: ' python3 -m tests.tiers build

# tests/run.sh measures each test and prints the ten slowest.
mkdir -p "$tmp/tree/tests/cli/runtime" "$tmp/tree/tests/unit" "$tmp/tree/b"
cp tests/run.sh "$tmp/tree/tests"
for i in 01 02 03 04 05 06 07 08 09 10 11; do echo 'echo "ok 1 - fine"' >"$tmp/tree/tests/cli/runtime/t$i.sh"; done
# shellcheck disable=SC2016 # the loop is of the test
echo 'i=0; while [ $i -lt 300000 ]; do i=$((i + 1)); done; echo "ok 1 - slow"' >"$tmp/tree/tests/cli/runtime/slow.sh"
check "all tests run" sh "$tmp/tree/tests/run.sh" b runtime
cp "$tmp/out" "$tmp/told"
check "… the ten slowest are printed" test "$(sed -n '/^slowest/,$p' "$tmp/told" | grep -c '\.sh$')" -eq 10
check "… the slowest first" sh -c "sed -n '/^slowest/{n;p}' '$tmp/told' | grep -q ' [0-9.]*[1-9][0-9.]*  tests/cli/runtime/slow.sh$'"
check "… and all of them kept" test "$(wc -l <"$tmp/tree/b/durations.tsv")" -eq 12
echo 'sleep 1; echo "ok 1 - waits"' >"$tmp/tree/tests/cli/runtime/t02.sh"
check "a test that waits passes" sh "$tmp/tree/tests/run.sh" b runtime t02
check "… and its duration is the elapsed time" grep -qE '^tests/cli/runtime/t02.sh	[1-9]' "$tmp/tree/b/durations.tsv"
echo 'echo "not ok 1 - bad"' >"$tmp/tree/tests/cli/runtime/t01.sh"
check "a pattern selects tests" sh "$tmp/tree/tests/run.sh" b runtime 't0[2-4]'
cp "$tmp/out" "$tmp/told"
check "… three" grep -qx '3 passed, 0 failed' "$tmp/told"
expect "a pattern that matches none" 1 "error: no test matches 'nothing'" sh "$tmp/tree/tests/run.sh" b runtime nothing
check "a failure is one" fails sh "$tmp/tree/tests/run.sh" b runtime t01
check "… and has no duration any more" sh -c "! grep -q t01 '$tmp/tree/b/durations.tsv'"
check "a test that would start too late is not run" sh -c "TEST_UNTIL=1 sh '$tmp/tree/tests/run.sh' b runtime 't0[2-4]' >'$tmp/told'; test \$? -eq 1"
check "… and named" grep -qx 'late   cli/runtime/t03.sh' "$tmp/told"

# tests/run.sh runs a module of Python tests through tests/module.sh.
mkdir -p "$tmp/module/tests/python" "$tmp/module/b"
cp tests/run.sh tests/module.sh tests/tap.py tests/__init__.py "$tmp/module/tests" && touch "$tmp/module/tests/python/__init__.py"
module() { # module RESULT: runs a module whose only test passes if RESULT is True
	printf 'import unittest\n\nclass One(unittest.TestCase):\n    def test_it(self):\n        self.assertTrue(%s)\n' "$1" \
		>"$tmp/module/tests/python/test_one.py"
	echo tests/python/test_one.py | RULESMITH_VENVS=$tmp/none sh "$tmp/module/tests/run.sh" b these >"$tmp/told" 2>&1
}
check "a Python module passes" module True
check "… with its one test" grep -qx '1 passed, 0 failed' "$tmp/told"
check "… and fails" fails module False

# tests/check.sh with a planted fault: in a tree whose make has built one unit test.
mkdir -p "$tmp/check/tests/unit/runtime/base" "$tmp/check/tests/cli" "$tmp/check/b/tests/runtime/base"
cp tests/run.sh tests/check.sh tests/tiers.py tests/__init__.py "$tmp/check/tests"
touch "$tmp/check/tests/unit/runtime/base/test_planted.c"
echo 'exit 0' >"$tmp/check/tests/lint.sh"
printf 'all:\nb/%%: ;\n' >"$tmp/check/Makefile"
program=$tmp/check/b/tests/runtime/base/test_planted
printf '#!/bin/sh\necho "ok 1 - as it should be"\n' >"$program" && chmod +x "$program"
quick() { sh "$tmp/check/tests/check.sh" b >"$tmp/said" 2>&1; }
check "make check passes" quick
printf '#!/bin/sh\necho "not ok 1 - planted"\nexit 1\n' >"$program"
check "… fails for a failing test" fails quick
check "… which it names" grep -q '^FAILED unit/runtime/base/test_planted' "$tmp/said"
printf '#!/bin/sh\necho "ok 1 - as it should be"\n' >"$program"
echo 'echo "FAILED prose"; exit 1' >"$tmp/check/tests/lint.sh"
check "… and for a lint" fails quick
check "… after running the tests" grep -q '^1 passed, 0 failed' "$tmp/said"
echo 'exit 0' >"$tmp/check/tests/lint.sh"
printf 'all:\nb/%%:\n\t@exit 1\nMakefile: ;\n' >"$tmp/check/Makefile"
check "… and for sources that do not compile" fails quick
check "… without running a test" sh -c "! grep -q passed '$tmp/said'"
echo "1..$n"
