#!/bin/sh
# rulefuzz run, list, show and repro against workers without a framework; rulefuzz and workers are killed.
. tests/cli/tap.sh
fuzz=$BUILD/rulefuzz db=$tmp/db
fake() { echo "sh tests/data/backends/fake.sh $1"; }
run() { # run MODE OPTION…
	mode=$1
	shift
	"$fuzz" run --backend fake --framework torch --backend-command "$(fake "$mode")" --db "$db" --count 8 "$@"
}
fresh() { rm -f "$db" "$db"-*; }
has() { grep -qE -- "$1" "$tmp/${log:-out}"; }
exits() { # exits WHAT CODE COMMAND…: ends so, whatever it says
	what=$1 code=$2
	shift 2
	"$@" >"$tmp/out" 2>"$tmp/err"
	got=$?
	if [ $got -eq "$code" ]; then ok "$what"; else
		not_ok "$what (exit $got, wanted $code)"
		sed 's/^/# /' "$tmp/err" | head -20
	fi
}
output() { # output WHAT PATTERN: a line of the last command's standard output
	if has "$2"; then ok "$1"; else
		not_ok "$1 (wanted /$2/)"
		sed 's/^/# /' "$tmp/${log:-out}" | head -20
	fi
}

exits "help" 0 "$fuzz" run --help
expect "a backend is asked for" 2 '--backend is missing' "$fuzz" run
expect "a bad time" 2 "--time takes" "$fuzz" run --backend x --time 5x
expect "an empty range of nodes" 2 "the range is empty" "$fuzz" run --backend x --nodes 5..2
expect "an unknown backend" 5 "unknown backend nothing-known" "$fuzz" run --backend nothing-known --db "$db"
cp "$fuzz" "$tmp/rulefuzz"
expect "one that is no name" 5 "unknown backend ../targets/torch-jit; there are onnxruntime, torch-broken, " \
	"$fuzz" run --backend ../targets/torch-jit --db "$db"
expect "no package" 5 'neither in ' env RULEFUZZ_PACKAGE= "$tmp/rulefuzz" run --backend torch-jit --db "$db"
expect "a package that is none" 5 'no rulefuzz/worker.py in RULEFUZZ_PACKAGE=docs' env RULEFUZZ_PACKAGE=docs \
	"$tmp/rulefuzz" run --backend torch-jit --db "$db"
expect "no Python: make backends" 5 "$tmp/none/torch/bin/python: run .make backends FRAMEWORK=torch" env RULESMITH_VENVS="$tmp/none" \
	RULEFUZZ_PACKAGE=runtime/python RULEFUZZ_PYTHON= "$tmp/rulefuzz" run --backend torch-jit --db "$db"
expect "… in the cache by default" 5 "$tmp/cache/rulesmith/venv/onnx/bin/python: run" env RULESMITH_VENVS= XDG_CACHE_HOME="$tmp/cache" \
	RULEFUZZ_PYTHON= "$fuzz" run --backend onnxruntime --db "$db"
expect "a worker that dies at start" 5 'cannot start: .*ImportError: no framework here' run dead
expect "a worker without its framework" 5 'cannot start: the fake framework is not installed' run fatal
expect "a worker that prints to the protocol" 5 'not the ready message' run noise
cp LICENSE "$tmp/text"
expect "a database that is none" 1 'not a database' "$fuzz" run --backend fake --framework torch --db "$tmp/text" \
	--backend-command true

fresh
exits "a clean run" 0 run ok
output "counts models" '^fake: 8 models .* next model 8, done'
output "counts agreement" 'compared 8: 8 agree'
exits "the same as JSON" 0 run ok --json --resume
output "a summary with a schema" '^\{"schema":1,"command":"run",.*"models":8,.*"agreed":8,.*"stage_seconds"'
exits "no finding in it" 0 "$fuzz" list --db "$db" --json
output "an empty list" '"findings":\[\]'

fresh
expect "an error of the target is a new bug" 3 'new finding 1: fake: error in ' run error
output "met twice, stored once" 'findings: 1 new, 1 met again, 0 of 2 candidates'
exits "it is known the next time" 0 run error
output "none is new" 'findings: 0 new, 2 met again'
exits "list" 0 "$fuzz" list --db "$db"
output "one line a finding" '^ +1 +error +new +4x +fake: error in .*FakeError: cannot lower shape \[N\] at @'
exits "show" 0 "$fuzz" show 1 --db "$db"
output "a page" 'signature +error\|fake\|FakeError\|fake.py:lower\|'
exits "the script" 0 "$fuzz" show 1 --db "$db" --script
output "alone" '^print\("repro"\)$'
exits "as JSON" 0 "$fuzz" show 1 --db "$db" --json
output "with the model" '"model":\{"model":1,'
exits "it reproduces" 3 "$fuzz" repro 1 --db "$db" --backend-command "$(fake error)"
exits "and does not when mended" 0 "$fuzz" repro 1 --db "$db" --backend-command "$(fake ok)"
exits "mark as fixed" 0 "$fuzz" show 1 --db "$db" --mark fixed
expect "a fixed one that comes back is new" 3 'new finding 1' run error
expect "a bad mark" 2 '--mark takes' "$fuzz" show 1 --db "$db" --mark closed
expect "no such finding" 1 'no finding 9' "$fuzz" show 9 --db "$db"
expect "no such database" 1 'no such database' "$fuzz" list --db "$tmp/none"

fresh
expect "an inconsistency" 3 'inconsistency in .*fake.op differs' run differ
expect "a crash" 3 'crash in .*killed by signal 11' run crash
output "restarts are counted" 'worker restarts: [1-9]'
expect "a hang" 3 'hang in .*stage run' run hang --timeout 1
expect "too much memory" 3 'memory in .*stage run' run memory --memory 50
exits "unsupported is no bug" 0 run unsupported
exits "but stored" 0 "$fuzz" list --db "$db" --status unsupported
output "as unsupported" 'error +unsupported +2x'
exits "a refused model" 0 run invalid
output "by API" '^ +1 invalid +fake.op: refused'
exits "a worker that dies in the reference costs one model" 0 run early
output "counted" 'compared 7: 7 agree'
exits "so does one that garbles" 0 run garble
exits "a crash that happens once is no finding" 0 run "once $tmp/marker"
output "it is counted" '1 of 1 candidates did not reproduce'
fresh
exits "three jobs" 3 run crash --jobs 3
output "run the same models" ': 8 models .*next model 8, done'
exits "models are saved" 0 run ok --save-models "$tmp/models"
check "a file each" test -s "$tmp/models/torch-0-7.json"

# A worker is killed in the middle: one model is lost, not the run.
fresh
FAKE_PIDS=$tmp/pids
export FAKE_PIDS
run slow --count 30 >"$tmp/log" 2>&1 &
job=$!
sleep 1
kill -9 "$(tail -1 "$tmp/pids")"
wait $job
code=$?
check "a killed worker does not end the run" test $code -eq 0
log=log
output "all models were run" '^fake: 30 models'
output "by another worker" 'worker restarts: 1'
output "one was lost at most" 'compared (29|30)'
log=
check "and no finding came of it" test -z "$("$fuzz" list --db "$db" --status all)"

# rulefuzz is killed: its worker goes, and --resume goes on where it was.
fresh
: >"$tmp/pids"
run slow --count 30 >"$tmp/log" 2>&1 &
sleep 1.2
kill -9 "$(cat "/proc/$(tail -1 "$tmp/pids")/stat" | cut -d' ' -f4)"
wait
sleep 0.5
check "its worker ended" test -z "$(tr -d '\0' 2>/dev/null <"/proc/$(tail -1 "$tmp/pids")/cmdline")" # a zombie has none
exits "resume" 0 run slow --count 30 --resume
output "all models, none twice" '^fake: 30 models .*next model 30, done'

# SIGINT: a summary, and exit 4.
fresh
: >"$tmp/pids"
run slow --count 1000 >"$tmp/log" 2>&1 &
job=$!
sleep 1
kill -TERM "$(cut -d' ' -f4 "/proc/$(tail -1 "$tmp/pids")/stat")"
wait $job
check "stopped by a signal: exit 4" test $? -eq 4
log=log
output "with a summary" 'models in .*stopped early'
log=
exits "out of time before the count" 4 run slow --count 1000 --time 1s
exits "out of time without a count" 0 "$fuzz" run --backend fake --framework torch --db "$db" --time 1s \
	--backend-command "$(fake slow)"
echo "1..$n"
