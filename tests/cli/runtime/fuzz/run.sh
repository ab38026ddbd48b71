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
expect "a bad time" 2 "--time: expected a duration" "$fuzz" run --backend x --time 5x
expect "an empty range of nodes" 2 "with A <= B" "$fuzz" run --backend x --nodes 5..2
expect "an unknown backend" 2 "unknown backend 'nothing-known'; .rulefuzz backends. lists all" "$fuzz" run --backend nothing-known --db "$db"
cp "$fuzz" "$tmp/rulefuzz"
expect "… and the one that was meant" 2 "unknown backend 'onnx-runtime'; did you mean onnxruntime\?" "$fuzz" run --backend onnx-runtime --db "$db"
expect "of another framework" 2 '--framework torch: backend onnxruntime runs onnx models' "$fuzz" run --backend onnxruntime --framework torch --db "$db"
check "no database is made" test ! -e "$db"
expect "one that is no name" 2 "unknown backend '../targets/torch-jit'; " \
	"$fuzz" run --backend ../targets/torch-jit --db "$db"
expect "a list of backends with a hole" 2 'names separated by commas' "$fuzz" run --backend torch-jit,,torch-aot --db "$db"
expect "one of several that there is not" 2 "unknown backend 'nothing'; " "$fuzz" run --backend torch-jit,nothing \
	--python /bin/false --db "$db"
expect "no package" 5 'neither in ' env RULEFUZZ_PACKAGE= "$tmp/rulefuzz" run --backend torch-jit --db "$db"
expect "a package that is none" 5 'no rulefuzz/worker.py in RULEFUZZ_PACKAGE=docs' env RULEFUZZ_PACKAGE=docs \
	"$tmp/rulefuzz" run --backend torch-jit --db "$db"
expect "no Python: make backends" 5 "torch-jit is not installed .no $tmp/none/torch/bin/python.; run .make backends BACKEND=torch-jit" env RULESMITH_VENVS="$tmp/none" \
	RULEFUZZ_PACKAGE=runtime/python RULEFUZZ_PYTHON= "$tmp/rulefuzz" run --backend torch-jit --db "$db"
expect "… in the cache by default" 5 "$tmp/cache/rulesmith/venv/onnx/bin/python.; run" env RULESMITH_VENVS= XDG_CACHE_HOME="$tmp/cache" \
	RULEFUZZ_PYTHON= "$fuzz" run --backend onnxruntime --db "$db"
expect "a worker that dies at start" 5 'cannot start: .*ImportError: no framework here' run dead
expect "a worker without its framework" 5 'cannot start: the fake framework is not installed' run fatal
expect "a worker that prints to the protocol" 5 'not the ready message' run noise
cp LICENSE "$tmp/text"
expect "a database that is none" 1 'not a database' "$fuzz" run --backend fake --framework torch --db "$tmp/text" \
	--backend-command true

fresh
exits "a clean run" 0 run ok --verbose
output "counts models" '^fake: 8 models .* next model 8, done'
output "counts agreement" 'compared 8: 8 agree'
output "says what took processor time" '^  processor time: start [0-9.]+ generate [0-9.]+ reference 0\.0 target 0\.0 judge 0\.0 supervision [0-9.]+ triage 0\.0$'
exits "the same as JSON" 0 run ok --json --resume
output "a summary with a schema" '^\{"schema":2,"command":"run",.*"models":8,.*"agreed":8,.*"stage_seconds"'
output "… and processor time" '"cpu_seconds":\{"start":[0-9.]+,"generate":[0-9.]+,"reference":[0-9.]+,"target":[0-9.]+,"judge":[0-9.]+,"supervision":[0-9.]+,"triage":[0-9.]+\}'
exits "no finding in it" 0 "$fuzz" list --db "$db" --json
output "an empty list" '"findings":\[\]'

fresh
expect "an error of the target is a new bug" 3 'new finding 1: fake: abs fails: ' run error --api torch.abs
output "met twice, stored once" 'findings: 1 new, 1 duplicate; in '
exits "it is known the next time" 0 run error --api torch.abs
output "none is new" 'findings: 0 new, 2 duplicates; in '
exits "list" 0 "$fuzz" list --db "$db"
output "one line a finding" '^ +1 +error +open +4x +[0-9-]+ +fake: abs fails: cannot lower shape \[[0-9]+, 4\] at 0x7f[0-9]+'
exits "show" 0 "$fuzz" show 1 --db "$db"
output "a page" 'bucket +error\|fake\|FakeError\|fake.py:lower\|'
exits "the script" 0 "$fuzz" show 1 --db "$db" --script
output "alone, the short one" '^print\("short"\)$'
for how in "1 --script full" "--script full 1" "1 --script=full"; do
	exits "the long one" 0 "$fuzz" show --db "$db" $how
	output "by $how" '^print\("repro"\)$'
done
expect "no other" 2 "expected full or no argument, got 'half'" "$fuzz" show 1 --db "$db" --script=half
expect "not of two findings" 2 'one finding' "$fuzz" show 1 2 --db "$db" --script
exits "as JSON" 0 "$fuzz" show 1 --db "$db" --json
output "with the model" '"model":\{"model":1,'
column() { python3 -c 'import sqlite3, sys; print(sqlite3.connect(sys.argv[1]).execute(f"SELECT {sys.argv[2]} FROM findings WHERE id = 1").fetchone()[0])' "$db" "$1"; }
for part in model original log; do
	exits "the $part" 0 "$fuzz" show 1 --db "$db" --$part
	check "… is what the database has, and nothing else" [ "$(cat "$tmp/out")" = "$(column $part)" ]
done
exits "it reproduces" 3 "$fuzz" repro 1 --db "$db" --backend-command "$(fake error)"
exits "and does not when mended" 0 "$fuzz" repro 1 --db "$db" --backend-command "$(fake ok)"
exits "mark with a reason" 0 "$fuzz" mark 1 not-a-bug --reason "as documented" --db "$db"
output "says what it was" 'finding 1 is now not-a-bug \(was open\)'
exits "what is no bug" 0 "$fuzz" list --db "$db"
check "is not listed" test ! -s "$tmp/out"
exits "but when asked for" 0 "$fuzz" list --db "$db" --status not-a-bug --json
output "with the reason" '"class":"MCF".*"reason":"as documented"'
exits "and is never new" 0 run error --api torch.abs
exits "the page" 0 "$fuzz" show 1 --db "$db"
output "has the reason" 'reason +as documented'
expect "a status is asked for" 2 "STATUS: expected open, known, .* got 'closed'" "$fuzz" mark 1 closed --db "$db"
expect "a number is asked for" 2 'the IDs of findings and a status' "$fuzz" mark known --db "$db"
expect "of a finding that is there" 1 'no finding 9' "$fuzz" mark 9 known --db "$db"
expect "a status to list" 2 "--status: expected open, known.*got 'old'" "$fuzz" list --status old --db "$db"
exits "mark as fixed" 0 "$fuzz" show 1 --db "$db" --mark fixed
expect "a fixed one that comes back is new" 3 'new finding 1' run error --api torch.abs
expect "a bad mark" 2 '--mark: expected open, .*' "$fuzz" show 1 --db "$db" --mark closed
expect "no such finding" 1 'no finding 9' "$fuzz" show 9 --db "$db"
expect "no such database" 1 'no such database' "$fuzz" list --db "$tmp/none"

# If an If alone causes an error, it is one finding, whatever its body.
fresh
expect "an error of a body" 3 'new finding 1: fake: Identity fails: ' "$fuzz" run --backend fake --framework onnx --db "$db" \
	--count 40 --subgraphs 1 --invalid 0 --backend-command "$(fake 'fails "\"kind\":\"if\""')"
output "is one for all calls in bodies" 'findings: 1 new, [1-9][0-9] duplicates; in '

fresh
expect "an inconsistency" 3 'fake: [a-z_.]+ differs: 2 of 4 elements' run differ
expect "a crash" 3 'crashes \(SIGSEGV\) while compiling' run crash --verbose
output "restarts are counted" 'worker restarts: [1-9]'
expect "a hang" 3 'hangs while running' run hang --timeout 1
expect "too much memory" 3 'exceeds the memory limit while running' run memory --memory 50
exits "unsupported is no bug" 0 run unsupported
exits "but stored" 0 "$fuzz" list --db "$db" --status unsupported
output "as unsupported" '^100001  error +unsupported +2x'
exits "a mistake of the oracle is no finding" 0 run internal --verbose
output "but listed, with what it raised" '^ +1 internal-error +: KeyError: x \(oracle/check.py:7\)'
exits "a rejected model" 0 run invalid --verbose
output "by API" '^ +1 rejected +fake.op: refused' # prose: quote
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

# A worker that cannot read the models is no success; nor is a run that can make none.
fresh
expect "models that no worker reads" 5 'error: backend fake could read none of the models' run unread
expect "an API that there is not" 2 'onnx.Nope' "$fuzz" run --backend fake --framework onnx --backend-command "$(fake ok)" --db "$tmp/nope" --api onnx.Nope
check "has no summary" test ! -s "$tmp/out"
check "… and makes no database" test ! -e "$tmp/nope"
expect "a database in an impossible place" 1 '/proc/nope' "$fuzz" run --backend fake --framework torch --backend-command "$(fake hang)" --db /proc/nope/db
expect "models in an impossible place" 1 '/proc/nope' run hang --save-models /proc/nope

# --time is a limit, whatever is at work: a model that hangs, or the reduction of a failure.
fresh
begin=$(date +%s)
exits "a model that hangs" 0 "$fuzz" run --backend fake --framework torch --backend-command "$(fake hang)" --db "$db" --time 2s --timeout 60
output "is cut off" 'findings: 0 new, 1 cut off by --time \(--resume runs it again\)'
exits "a failure that takes long to reduce" 3 "$fuzz" run --backend fake --framework torch --backend-command "$(fake "drags nodes")" --db "$db" \
	--time 2s --timeout 60
check "and time is kept" [ $(($(date +%s) - begin)) -le 12 ]

# A target that calls exit(0) crashes; one that floods its output hangs.
fresh
expect "exit(0) is a crash" 3 'ends the process with exit code 0 while running' run leave
exits "of a child, too, whose mother says nothing" 0 run orphan
exits "which has the same bucket" 0 "$fuzz" list --db "$db"
output "a duplicate" '^ +1 +crash +open +2x'
expect "a flood on standard output is a hang" 3 'hangs while running' run flood --timeout 1
exits "one on standard error as well" 0 run noisy --timeout 1
output "a duplicate" 'findings: 0 new, 1 duplicate; in '

# A reduced model is valid input.
check "a reduced model is read" sh -c "'$fuzz' show 1 --db '$db' --model | '$fuzz' coverage -"
output "as one node" '^nodes +1,'

# Databases of other programs and of later versions are not modified.
python3 -c 'import sqlite3, sys; d = sqlite3.connect(sys.argv[1]); d.execute("CREATE TABLE notes(t)"); d.commit()' "$tmp/notes"
cp "$tmp/notes" "$tmp/notes.copy"
expect "another program's database" 1 "notes: error: another program's database" "$fuzz" run --backend fake --framework torch \
	--db "$tmp/notes" --backend-command "$(fake ok)" --count 1
check "is left as it is" cmp "$tmp/notes" "$tmp/notes.copy"

# A run resumes only with the same settings.
fresh
exits "a run of some APIs" 0 run ok --api 'torch.a*'
exits "resumed" 0 run ok --api 'torch.a*' --resume --count 9
output "goes on" '^fake: 9 models .*next model 9, done'
expect "other APIs" 1 "cannot resume run 1: its --api is 'torch.a\*', here it is 'torch.b\*'" run ok --api 'torch.b*' --resume
expect "other nodes" 1 "its --nodes is '5', here it is '2..3'" run ok --api 'torch.a*' --nodes 2..3 --resume
for f in fe ff; do # the table's fingerprint ends so
	sed "s/00fe/00$f/" tests/data/rules/verify_table.c >"$tmp/$f.c"
	${CC:-cc} -std=gnu11 -O1 -fPIC -shared -iquote runtime/include "$tmp/$f.c" -o "$tmp/$f.so"
done
rules() { # rules SO OPTION…: a run with another table
	so=$1
	shift
	"$fuzz" run --backend fake --framework t --rules "$so" --backend-command "$(fake ok)" --db "$db" --count 4 --values any "$@"
}
exits "a run with other rules" 0 rules "$tmp/fe.so"
expect "another table" 1 "its --rules is '0+fe', here it is '0+ff'" rules "$tmp/ff.so" --resume
exits "the same table" 0 rules "$tmp/fe.so" --resume
exits "another seed is another run" 0 run ok --api 'torch.a*' --seed 3 --resume
log=err
output "which is said" 'no run to resume; starting at model 0'
log=

# Probing: unsupported calls are cached and excluded from models; each version is probed.
learn() { # learn MODE OPTION…
	mode=$1
	shift
	"$fuzz" run --backend fake --framework t --rules "$tmp/fe.so" --backend-command "$(fake "$mode")" --db "$db" --count 6 \
		--capabilities "$tmp/capabilities.tsv" --values any "$@"
}
fresh
exits "single calls: an error is a finding" 3 learn error --probe 30s
log=err
output "learning is said" '^probing fake: calls 0 to [0-9]+, for at most 30 s'
output "and what comes of it" '^fake: 2 calls excluded: they fail in findings of /'
log=
check "the call is kept" grep -qP '^[^\t]+\t[^\t]+\t[^\t]+\tfails\tcannot lower' "$tmp/capabilities.tsv"
cp "$tmp/capabilities.tsv" "$tmp/learned.tsv"
left=$(sed -n 2p "$tmp/capabilities.tsv" | cut -f1)
check "models are without it" sh -c '"$1" gen --framework t --rules "$2" --count 200 --values any --capabilities "$3" --format json >"$4" &&
	! grep -q "\"op\":\"$5\"" "$4"' sh "$fuzz" "$tmp/fe.so" "$tmp/learned.tsv" "$tmp/left" "$left"
check "and with it otherwise" sh -c '"$1" gen --framework t --rules "$2" --count 200 --values any --format json | grep -q "\"op\":\"$3\""' \
	sh "$fuzz" "$tmp/fe.so" "$left"
exits "what is known is not learned again" 0 learn ok --probe 30s
check "nothing is forgotten" cmp "$tmp/capabilities.tsv" "$tmp/learned.tsv"
exits "nothing is excluded with --capabilities none" 0 learn ok --capabilities none
# A call excluded as a finding has that finding in this database; another database gets it again.
tied='fails "\"api\":\"t.tied\""'
rm "$tmp/capabilities.tsv"
fresh
exits "a first database" 3 learn "$tied" --probe 30s
output "has what fails" '^  findings: 1 new \(1 while probing\)'
cp "$tmp/capabilities.tsv" "$tmp/first.tsv"
fresh
exits "a second one" 3 learn "$tied" --probe 30s
output "has it, too" '^  findings: 1 new \(1 while probing\)'
log=err
output "since the call is probed again" '^probing fake: 1 call that failed before and is not in this database$'
output "and is excluded then" '^fake: 1 call excluded: it fails in findings of /'
log=
exits "the next run" 0 learn "$tied" --probe 30s
log=err
output "says what it excludes" '^fake: 1 call excluded: it fails in findings of /'
log=
cp "$tmp/err" "$tmp/said"
check "and probes nothing" sh -c '! grep -q "^probing" "$1"' - "$tmp/said"
"$fuzz" mark 1 fixed --db "$db" >"$tmp/marked"
exits "what is marked as fixed" 3 learn "$tied" --probe 30s
log=err
output "is probed again" '^probing fake: 1 call that failed before and is not in this database$'
output "and is a regression" '^new finding 1: '
log=
cached() { [ "$(cut -f1-4 "$tmp/capabilities.tsv")" = "$(cut -f1-4 "$tmp/first.tsv")" ]; }
check "the cache is as it was" cached
fresh
learn ok --probe 0 >"$tmp/out" 2>"$tmp/said"
check "without probing it excludes no finding" sh -c '! grep -q "in findings of" "$1"' - "$tmp/said"
check "… and forgets none" cached
cp "$tmp/learned.tsv" "$tmp/capabilities.tsv"
fresh
sed -i 's/"fake":"1.0"/"fake":"0.9"/' "$tmp/capabilities.tsv"
exits "another version is learned anew" 0 learn ok --probe 30s
rm "$tmp/capabilities.tsv"
exits "what is learned first is part of the time" 0 "$fuzz" run --backend fake --framework torch --backend-command "$(fake slow)" --db "$db" \
	--capabilities "$tmp/capabilities.tsv" --time 16s --probe 8s --json
models=$(grep -oE '"seconds":[0-9]+' "$tmp/out" | head -1 | cut -d: -f2)
check "new models have the rest of it" test "$models" -ge 1 -a "$models" -lt 12
rm "$tmp/capabilities.tsv"
echo "sleep 5; exec $(fake slow)" >"$tmp/late"
exits "a worker that starts slowly has time of the models" 0 "$fuzz" run --backend fake --framework torch --backend-command "sh $tmp/late" --db "$db" \
	--capabilities "$tmp/capabilities.tsv" --time 7s --probe 0 --json
models=$(grep -oE '"seconds":[0-9]+' "$tmp/out" | head -1 | cut -d: -f2)
check "which have the rest" test "$models" -ge 1 -a "$models" -lt 3
echo "sleep 30" >"$tmp/late"
expect "or all of it" 5 'not ready within --time' "$fuzz" run --backend fake --framework torch --backend-command "sh $tmp/late" --db "$db" \
	--capabilities "$tmp/capabilities.tsv" --time 1s --probe 0
cp "$tmp/learned.tsv" "$tmp/capabilities.tsv"
expect "a bad file" 1 'capabilities.tsv:1: error: expected' sh -c 'echo x >"$1/capabilities.tsv"; shift; "$@"' sh "$tmp" "$fuzz" run --backend fake \
	--framework t --rules "$tmp/fe.so" --backend-command "$(fake ok)" --db "$db" --count 2 --capabilities "$tmp/capabilities.tsv"
expect "no file for gen" 1 'none.tsv: error: no such file' "$fuzz" gen --framework t --rules "$tmp/fe.so" --capabilities "$tmp/none.tsv"
# A call that fails on its own is excluded from later models; each costs about one model.
later() { # later MODE OPTION…
	fresh
	rm -f "$tmp/later.tsv"
	"$fuzz" run --backend fake --framework torch --backend-command "$(fake "$1") '\"api\":\"torch.add\"'" --db "$db" --count 400 --api 'torch.a*' \
		--capabilities "$tmp/later.tsv" --json
}
exits "rejected calls" 0 later rejects
cp "$tmp/out" "$tmp/later"
count() { sed "s/.*\"$1\":\([0-9]*\).*/\1/" "$tmp/later"; }
check "some are excluded, also with other dtypes" [ "$(count excluded)" -gt $((2 * $(count unsupported))) -a "$(count unsupported)" -gt 1 ]
stored=$(grep -c '^torch.add-.*rejects' "$tmp/later.tsv") # later exclusions wait for a new generator, so that a call may be met twice
check "after about one model each, which is stored" [ "$stored" -le "$(count unsupported)" -a $((5 * stored)) -ge $((4 * $(count unsupported))) ]
check "and nothing else is" [ "$(wc -l <"$tmp/later.tsv")" -eq $((stored + 1)) ]
exits "calls whose consumers are rejected" 0 later behind
cp "$tmp/out" "$tmp/later"
check "are excluded and stored" [ "$(grep -c '^torch.add-.*rejects' "$tmp/later.tsv")" -gt 1 ]
check "and those others are not" [ "$(grep -c '^torch.*rejects' "$tmp/later.tsv")" -eq "$(grep -c '^torch.add-.*rejects' "$tmp/later.tsv")" ]
exits "calls that fail" 3 later fails
cp "$tmp/out" "$tmp/later"
check "are excluded, about one model each" [ "$(count error)" -ge "$(count excluded)" -a "$(count error)" -le $(($(count excluded) * 6 / 5)) -a "$(count excluded)" -gt 2 ] # some models fail by a call that no test alone repeats
check "one of them a finding" [ "$(count new_findings)" -eq 1 ]
# For a target that rejects many calls, models use only calls that ran; so does gen.
calls() { # calls N OPTION…: the operators of N single calls
	count=$1
	shift
	"$fuzz" gen --framework onnx --strategy calls --count "$count" --format json "$@" | sed 's/.*"op":"\([^"]*\)".*/\1/'
}
rejected=$("$fuzz" gen --framework onnx --strategy calls --count 64 --format json |
	grep -E '"inputs":\[\{"id":0,"shape":\[[0-9,]*\],"dtype":"float16"[^{]*"nodes".*"outputs":\[\{"id":1,"shape":\[[0-9,]*\],"dtype":"float16"\}\]\}\],"outputs":\[1\]' |
	sed -n '1s/.*"op":"\([^"]*\)".*/\1/p')
check "a call takes float16 and gives it" [ "$rejected" ]
printf '# backend any rules %s next 64 versions {}\n%s\tfloat16\tfloat16\trejects\tno\n' \
	"$("$fuzz" rules | sed -n 's/^onnx .*(rules \(.*\))$/\1/p')" "$rejected" >"$tmp/part.tsv"
calls 64 | grep -vxF "$rejected" >"$tmp/ran"
calls 64 --capabilities "$tmp/part.tsv" >"$tmp/made" # comes round
{ cat "$tmp/ran" && head -1 "$tmp/ran"; } >"$tmp/wanted_calls"
check "models are of what ran" cmp "$tmp/made" "$tmp/wanted_calls"
expect "an unknown tolerance" 2 '--tolerance: expected measured, neuri or isra' run ok --tolerance loose

# Every option of gen: the models of a run are those of gen, with the share of symbolic ones that a run has by default.
same_models() { # same_models OPTION…
	rm -rf "$tmp/models" "$tmp/wanted"
	fresh
	run ok --save-models "$tmp/models" $jobs "$@" >"$tmp/out" 2>"$tmp/err" && "$fuzz" gen --framework torch --dynamic-shapes 0.1 --invalid 0.05 --layouts 0.3 --gradients 0.3 --modules 0.3 --mutation 0.3 --sessions 0.1 --regions 0.1 --repeats 0.1 --sizes mixed --wide-integers 0.2 $more --count 8 -o "$tmp/wanted" "$@" &&
		for m in "$tmp/models"/*; do { cat "$m" && echo; } | cmp - "$tmp/wanted/$(basename "$m")" || return 1; done &&
		[ "$(ls "$tmp/models")" = "$(ls "$tmp/wanted")" ]
}
more='--chains 0.4'
check "isra's models" same_models --strategy isra --picking 0.5 --rank-max 3 --dim-max 4
more=
check "graph's models" same_models --strategy graph --chooser random --model ws --mutations off --nodes 3
jobs='--jobs 2'
check "graph's, of two jobs" same_models --strategy graph
jobs=
echo torch.add >"$tmp/ops"
check "models of named operators" same_models --ops "$tmp/ops" --values any --max-numel 100 --nodes 2..4
more='--chains 0.4 --weights 0.25'
check "a part of the models" same_models --first 5 --seed 9
expect "options that do not fit" 2 'picking needs --strategy isra' run ok --picking 0.5

# Synchronized by events, not by time: a worker at the gate writes its PID to a file and waits.
until_there() { # until_there FILE: at most 30 seconds
	k=0
	while [ ! -e "$1" ] && [ $k -lt 600 ]; do sleep 0.05 && k=$((k + 1)); done
	[ -e "$1" ]
}
gone() { # gone PID: it ends within 30 seconds; a zombie has no command line
	k=0
	while [ -n "$(tr -d '\0' 2>/dev/null <"/proc/$1/cmdline")" ] && [ $k -lt 600 ]; do sleep 0.05 && k=$((k + 1)); done
	[ $k -lt 600 ]
}
parent() { cut -d' ' -f4 "/proc/$1/stat"; }

# A killed worker costs one model, not the run.
fresh
run "gate $tmp/gate" --count 30 --verbose >"$tmp/log" 2>&1 &
job=$!
check "a worker is at work" until_there "$tmp/gate"
kill -9 "$(cat "$tmp/gate")"
wait $job
code=$?
check "a killed worker does not end the run" test $code -eq 0
log=log
output "all models were run" '^fake: 30 models'
output "by another worker" 'worker restarts: 1'
output "one was lost at most" 'compared (29|30)'
log=
check "and no finding came of it" test -z "$("$fuzz" list --db "$db" --status all)"

# If rulefuzz is killed, its worker ends, and --resume continues the run.
fresh
rm "$tmp/gate"
run "gate $tmp/gate" --count 30 --verbose >"$tmp/log" 2>&1 &
check "a worker is at work again" until_there "$tmp/gate"
worker=$(cat "$tmp/gate")
kill -9 "$(parent "$worker")"
wait
check "its worker ended" gone "$worker"
exits "resume" 0 run "gate $tmp/gate" --count 30 --resume
output "all models, none twice" '^fake: 30 models .*next model 30, done'

# SIGTERM: a summary, and exit 4.
fresh
rm "$tmp/gate"
run "gate $tmp/gate" --count 1000 >"$tmp/log" 2>&1 &
job=$!
check "a worker is at work once more" until_there "$tmp/gate"
kill -TERM "$(parent "$(cat "$tmp/gate")")"
wait $job
check "stopped by a signal: exit 4" test $? -eq 4
log=log
output "with a summary" '^fake: 3 models in .*next model 3, stopped early'
log=

# SIGINT ends repro as well, and nothing is left.
fresh
rm "$tmp/gate"
mkdir "$tmp/scratch"
run error >/dev/null 2>&1
TMPDIR=$tmp/scratch "$fuzz" repro 1 --db "$db" --backend-command "$(fake "gate $tmp/gate")" >"$tmp/log" 2>&1 &
job=$!
check "repro is at work" until_there "$tmp/gate"
check "its folder has a name of its own" sh -c "ls '$tmp/scratch' | grep -qE '^rulefuzz-[A-Za-z0-9]{6}$'"
worker=$(cat "$tmp/gate")
kill -INT "$(parent "$worker")"
wait $job
check "repro is stopped by a signal: exit 4" test $? -eq 4
check "its folder is gone" test -z "$(ls "$tmp/scratch")"
check "so is its worker" gone "$worker"

exits "out of time before the count" 4 run slow --count 1000 --time 1s
exits "out of time without a count" 0 "$fuzz" run --backend fake --framework torch --db "$db" --time 1s \
	--backend-command "$(fake slow)"
echo "1..$n"
