#!/bin/sh
# rulefuzz ci: exit codes, changes of findings between jobs, the replay corpus, and the workflow files of docs/ci.
. tests/cli/tap.sh
fuzz=$BUILD/rulefuzz db=$tmp/state/f.db out=$tmp/report reports=tests/cli/runtime/report/findings_report.py
schemas=$venvs/schemas/bin/python # .ci/run creates it
mkdir "$tmp/state"
ci() { # ci MODE OPTION…
	mode=$1
	shift
	"$fuzz" ci --backend fake --framework torch --backend-command "sh tests/data/backends/fake.sh $mode" --db "$db" --out="$out" --count 8 "$@"
}
exits() { # exits WHAT CODE COMMAND…
	what=$1 code=$2
	shift 2
	"$@" >"$tmp/shown" 2>"$tmp/told"
	got=$?
	if [ $got -eq "$code" ]; then ok "$what"; else
		not_ok "$what (exit $got, wanted $code)"
		sed 's/^/# /' "$tmp/told" | head -20
	fi
}
says() { check "$1" grep -qE -- "$2" "${3:-$tmp/shown}"; }

exits "help" 0 "$fuzz" ci --help
expect "missing backend" 2 '--backend is missing' "$fuzz" ci
expect "unknown option" 2 'rulefuzz run: error: ' ci ok --no-such-option
expect "bad time" 2 '--time: expected a duration' ci ok --time soon
expect "empty backend name" 2 '--backend: expected up to' "$fuzz" ci --backend torch-same,,torch-jit --db "$db" --out "$out"
check "… writes no report" [ ! -e "$out" ]
check "… and creates no database" [ -z "$(ls "$tmp/state")" ]

exits "job without findings" 0 ci ok
says "prints the totals" '^ci: 0 new findings; .*/report.html$'
check "writes the reports" [ -s "$out/report.html" -a -s "$out/summary.md" -a -s "$out/junit.xml" -a -s "$out/rulefuzz.sarif" ]
exits "new finding fails the job" 3 ci error --seed 1
says "and is named" '^new: finding 1: fake: .* fails: cannot lower shape'
says "summary.md" '^## New \(2\)$' "$out/summary.md"
says "junit.xml: failure" '<failure type="error" message="new: fake: ' "$out/junit.xml"
says "SARIF: new" '"baselineState":"new"' "$out/rulefuzz.sarif"
says "short script" '^print\("short"\)$' "$out/scripts/1.py"
exits "unchanged finding passes the job" 0 ci error --seed 1
says "is rechecked" '^finding 1: still reproduces: fake: '
says "is counted" '^ci: 0 new findings, 2 unchanged; '
says "junit.xml: skipped" '<skipped message="unchanged, open"/>' "$out/junit.xml"
says "SARIF: unchanged" '"baselineState":"unchanged"' "$out/rulefuzz.sarif"
"$fuzz" mark 1 known --reason 'reported as <#7>' --db "$db" >"$tmp/shown"
exits "known finding passes the job" 0 ci error --seed 1
says "junit.xml: reason" '<skipped message="unchanged, known: reported as &lt;#7&gt;"/>' "$out/junit.xml"
says "SARIF: suppressed" '"suppressions":.*"justification":"reported as <#7>"' "$out/rulefuzz.sarif"
exits "fixed finding passes the job" 0 ci ok
says "prints it" '^fixed: finding 1: fake: '
says "summary.md" '^## Fixed \(2\)$' "$out/summary.md"
exits "next job after the fix" 0 ci ok
says "does not mention it" '^ci: 0 new findings; '
exits "regressed finding fails the job" 3 ci error --seed 1
says "and is named" '^regressed: finding 1: fake: '
exits "--baseline passes the job" 0 ci error --seed 1 --baseline
says "prints the number" '^baseline: [0-9]+ open findings marked known$'
says "totals" '^ci: 0 new findings, [0-9]+ unchanged; '
says "junit.xml: baseline as reason" '<skipped message="unchanged, known: .*; baseline"/>' "$out/junit.xml"
kept=$db db=$tmp/state/first.db
exits "--baseline in the first job" 0 ci error --seed 1 --baseline
says "prints the number" '^baseline: 2 open findings marked known$'
says "junit.xml: no failures" 'failures="0"' "$out/junit.xml"
exits "next job passes" 0 ci error --seed 1
exits "but fails with another finding" 3 ci differ --seed 1
db=$kept
for folder in /proc/nope "$db/inside"; do
	exits "unwritable --out fails at once" 2 ci slow --count 4000 --time 60s --out "$folder"
	says "and is named" "^rulefuzz ci: error: --out: cannot write to the folder '$folder': " "$tmp/told"
done
exits "--no-recheck" 0 ci error --seed 1 --no-recheck
check "… rechecks nothing" sh -c "! grep -q '^finding ' '$tmp/shown'"
begin=$(date +%s)
exits "findings and models that hang" 0 "$fuzz" ci --backend fake --framework torch --backend-command "sh tests/data/backends/fake.sh hang" \
	--db "$db" --out "$out" --seed 1 --time 4s --timeout 60
check "… do not outlive --time" [ $(($(date +%s) - begin)) -le 10 ]
exits "worker that cannot start" 5 ci dead
says "junit.xml: error" '<error message="a backend is missing' "$out/junit.xml"
says "SARIF: failed execution" '"executionSuccessful":false,"exitCode":5' "$out/rulefuzz.sarif"
exits "stopped before --count" 4 ci slow --count 4000 --time 1s --no-recheck
expect "not a database" 1 'not a database' "$fuzz" ci --backend fake --framework torch --db LICENSE --out "$out" --backend-command true
check "junit.xml is well-formed" python3 $reports junit "$out/junit.xml"
[ ! -x "$schemas" ] || check "SARIF by its schema" "$schemas" $reports sarif "$out/rulefuzz.sarif"

# ---- the corpus that jobs pass on
models=$db.models/fake.jsonl
check "models with new coverage are kept" [ -s "$models" ]
ci ok --seed 100 --count 200 >"$tmp/shown" 2>&1
before=$(wc -l <"$models")
check "… and no others" [ "$before" -gt 20 -a "$before" -le 500 ]
exits "next job replays them" 0 ci ok --seed 100 --count 200
says "before new models" "^corpus replay: $before models of earlier runs" "$tmp/told"
check "… and adds no duplicates" [ "$(wc -l <"$models")" -le "$before" ]
check "they are valid models" "$fuzz" coverage --framework torch "$models"
seeds=$(python3 -c 'import sqlite3, sys
print(len({row[0] for row in sqlite3.connect(sys.argv[1]).execute("SELECT seed FROM runs WHERE id IN (SELECT run FROM settings WHERE name = \"shard\")")}))' "$db")
check "each job has its own seed ($seeds seeds)" [ "$seeds" -ge 4 ]

# ---- workflow files
if [ -x "$schemas" ]; then
	check "GitHub workflows match their schema" "$schemas" -m check_jsonschema --builtin-schema vendor.github-workflows docs/ci/github-actions.yml docs/ci/github-actions-pip.yml .github/workflows/ci.yml
	check "issue templates match their schema" "$schemas" -m check_jsonschema --builtin-schema vendor.github-issue-forms .github/ISSUE_TEMPLATE/*.yml
	check "CITATION.cff matches its schema" "$schemas" -m check_jsonschema --builtin-schema vendor.citation-file-format CITATION.cff
	check "GitLab CI file matches its schema" "$schemas" -m check_jsonschema --builtin-schema vendor.gitlab-ci --data-transform gitlab-ci docs/ci/gitlab-ci.yml
	check "Kubernetes manifest matches its schema" "$schemas" -m kubernetes_validate -k 1.31 --strict docs/ci/kubernetes.yaml
	check "workflow's commands are extracted" "$schemas" tests/cli/runtime/cli/workflow.py docs/ci/github-actions.yml "$tmp/steps"
	cat >"$tmp/make" <<-'MAKE'
		#!/bin/sh
		echo "make $*" >>"$MADE"
	MAKE
	mkdir "$tmp/bin" && mv "$tmp/make" "$tmp/bin/make" && chmod +x "$tmp/bin/make"
	cat >"$tmp/rulefuzz" <<-FUZZ
		#!/bin/sh
		shift
		exec "$(realpath "$fuzz")" ci --framework torch --backend-command "sh $PWD/tests/data/backends/fake.sh error" "\$@"
	FUZZ
	mkdir -p "$tmp/work/build" && cp "$tmp/rulefuzz" "$tmp/work/build/rulefuzz" && chmod +x "$tmp/work/build/rulefuzz"
	exits "workflow runs with a fake make and compiler, and fails with a new finding" 3 sh -c "cd '$tmp/work' && \
		PATH='$tmp/bin:$PATH' MADE='$tmp/made' BACKEND=fake FUZZ_TIME=2s GITHUB_STEP_SUMMARY='$tmp/step' sh -e '$tmp/steps'"
	says "builds" '^make .*' "$tmp/made"
	says "installs the backend" '^make backends BACKEND=fake$' "$tmp/made"
	check "writes the files for later steps" [ -s "$tmp/work/rulefuzz-report/rulefuzz.sarif" -a -s "$tmp/work/rulefuzz-report/report.html" ]
	says "writes the job summary" '^# rulefuzz: ' "$tmp/step"
	check "writes the cached files" [ -s "$tmp/work/rulefuzz-state/findings.db" -a -s "$tmp/work/rulefuzz-state/findings.db.models/fake.jsonl" ]
else
	skip "workflow files match their schemas" "no $schemas"
fi

# ---- a Slurm array, as Slurm starts it, against one run of the same models
printf '#!/bin/sh\nexec sh "%s" error\n' "$PWD/tests/data/backends/fake.sh" >"$tmp/fake" && chmod +x "$tmp/fake"
task() { # task VARIABLE=VALUE… COMMAND…: with these variables as the whole environment
	env BACKEND=fake FUZZ_TIME=60s STATE="$tmp/slurm" RULEFUZZ="$fuzz" SLURM_ARRAY_TASK_MIN=2 SLURM_ARRAY_TASK_MAX=4 \
		RULEFUZZ_OPTIONS="--framework torch --probe 0 --count 20 --backend-command $tmp/fake" "$@"
}
for id in 2 3 4; do
	exits "task $id of the array" 0 task SLURM_ARRAY_TASK_ID=$id bash docs/ci/slurm.sh
done
exits "merge task" 0 task bash docs/ci/slurm.sh merge
"$fuzz" run --backend fake --framework torch --backend-command "$tmp/fake" --count 20 --seed 1 --db "$tmp/one.db" >"$tmp/shown" 2>&1
buckets() { "$fuzz" list --json --db "$1" | python3 -c 'import json, sys
for finding in sorted(f["bucket"] for f in json.load(sys.stdin)["findings"]): print(finding)'; }
buckets "$tmp/slurm/all.db" >"$tmp/merged" && buckets "$tmp/one.db" >"$tmp/single"
check "array finds what one run finds" sh -c "[ -s '$tmp/merged' ] && cmp '$tmp/merged' '$tmp/single'"
echo "1..$n"
