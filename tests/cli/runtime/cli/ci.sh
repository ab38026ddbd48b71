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
expect "a backend is asked for" 2 '--backend is missing' "$fuzz" ci
expect "a bad option" 2 'rulefuzz run: error: ' ci ok --no-such-option
expect "a bad time" 2 '--time: expected a duration' ci ok --time soon
expect "two backends without a name" 2 '--backend: expected up to' "$fuzz" ci --backend torch-same,,torch-jit --db "$db" --out "$out"
check "… write no report" [ ! -e "$out" ]
check "… and make no database" [ -z "$(ls "$tmp/state")" ]

exits "a job that finds nothing" 0 ci ok
says "says so" '^ci: 0 new findings; .*/report.html$'
check "and reports" [ -s "$out/report.html" -a -s "$out/summary.md" -a -s "$out/junit.xml" -a -s "$out/rulefuzz.sarif" ]
exits "a new bug fails the job" 3 ci error --seed 1
says "and is named" '^new: finding 1: fake: .* fails: cannot lower shape'
says "in the summary" '^## New \(2\)$' "$out/summary.md"
says "as a test that fails" '<failure type="error" message="new: fake: ' "$out/junit.xml"
says "as a result that is new" '"baselineState":"new"' "$out/rulefuzz.sarif"
says "with its script" '^print\("short"\)$' "$out/scripts/1.py"
exits "a known one does not" 0 ci error --seed 1
says "it is run again" '^finding 1: still reproduces: fake: '
says "and counted" '^ci: 0 new findings, 2 unchanged; '
says "as a test that is skipped" '<skipped message="unchanged, open"/>' "$out/junit.xml"
says "as a result that was there" '"baselineState":"unchanged"' "$out/rulefuzz.sarif"
"$fuzz" mark 1 known --reason 'reported as <#7>' --db "$db" >"$tmp/shown"
exits "one that is marked neither" 0 ci error --seed 1
says "with its reason" '<skipped message="unchanged, known: reported as &lt;#7&gt;"/>' "$out/junit.xml"
says "suppressed for the host" '"suppressions":.*"justification":"reported as <#7>"' "$out/rulefuzz.sarif"
exits "a fixed one does not" 0 ci ok
says "it is said" '^fixed: finding 1: fake: '
says "in the summary" '^## Fixed \(2\)$' "$out/summary.md"
exits "in the next job it is closed" 0 ci ok
says "and not mentioned" '^ci: 0 new findings; '
exits "one that regressed fails the job" 3 ci error --seed 1
says "and is named" '^regressed: finding 1: fake: '
exits "a baseline accepts them" 0 ci error --seed 1 --baseline
says "and says so" '^baseline: [0-9]+ open findings marked known$'
says "in the totals" '^ci: 0 new findings, [0-9]+ unchanged; '
says "with a reason" '<skipped message="unchanged, known: .*; baseline"/>' "$out/junit.xml"
kept=$db db=$tmp/state/first.db
exits "in the first job, too" 0 ci error --seed 1 --baseline
says "and says how many" '^baseline: 2 open findings marked known$'
says "where nothing fails" 'failures="0"' "$out/junit.xml"
exits "and the next job is green" 0 ci error --seed 1
exits "but for another bug" 3 ci differ --seed 1
db=$kept
for folder in /proc/nope "$db/inside"; do
	exits "a folder that cannot be made ends the job at once" 2 ci slow --count 4000 --time 60s --out "$folder"
	says "and is named" "^rulefuzz ci: error: --out: cannot write to the folder '$folder': " "$tmp/told"
done
exits "--no-recheck runs none again" 0 ci error --seed 1 --no-recheck
check "… indeed" sh -c "! grep -q '^finding ' '$tmp/shown'"
begin=$(date +%s)
exits "findings and models that hang" 0 "$fuzz" ci --backend fake --framework torch --backend-command "sh tests/data/backends/fake.sh hang" \
	--db "$db" --out "$out" --seed 1 --time 4s --timeout 60
check "… do not outlive --time" [ $(($(date +%s) - begin)) -le 10 ]
exits "a worker that cannot start" 5 ci dead
says "is reported" '<error message="a backend is missing' "$out/junit.xml"
says "to the host" '"executionSuccessful":false,"exitCode":5' "$out/rulefuzz.sarif"
exits "stopped before the count" 4 ci slow --count 4000 --time 1s --no-recheck
expect "a database that is none" 1 'not a database' "$fuzz" ci --backend fake --framework torch --db LICENSE --out "$out" --backend-command true
check "JUnit's XML is well formed" python3 $reports junit "$out/junit.xml"
[ ! -x "$schemas" ] || check "SARIF by its schema" "$schemas" $reports sarif "$out/rulefuzz.sarif"

# ---- the corpus that jobs pass on
models=$db.models/fake.jsonl
check "models that reached something new are kept" [ -s "$models" ]
ci ok --seed 100 --count 200 >"$tmp/shown" 2>&1
before=$(wc -l <"$models")
check "… as many as are worth it" [ "$before" -gt 20 -a "$before" -le 500 ]
exits "they are run again" 0 ci ok --seed 100 --count 200
says "first" "^corpus replay: $before models of earlier runs" "$tmp/told"
check "… and the same models add none" [ "$(wc -l <"$models")" -le "$before" ]
check "they are models" "$fuzz" coverage --framework torch "$models"
seeds=$(python3 -c 'import sqlite3, sys
print(len({row[0] for row in sqlite3.connect(sys.argv[1]).execute("SELECT seed FROM runs WHERE id IN (SELECT run FROM settings WHERE name = \"shard\")")}))' "$db")
check "each job has models of its own ($seeds seeds)" [ "$seeds" -ge 4 ]

# ---- workflow files
if [ -x "$schemas" ]; then
	check "GitHub workflows match their schema" "$schemas" -m check_jsonschema --builtin-schema vendor.github-workflows docs/ci/github-actions.yml docs/ci/github-actions-pip.yml .github/workflows/ci.yml
	check "issue templates match their schema" "$schemas" -m check_jsonschema --builtin-schema vendor.github-issue-forms .github/ISSUE_TEMPLATE/*.yml
	check "CITATION.cff matches its schema" "$schemas" -m check_jsonschema --builtin-schema vendor.citation-file-format CITATION.cff
	check "the one of GitLab CI" "$schemas" -m check_jsonschema --builtin-schema vendor.gitlab-ci --data-transform gitlab-ci docs/ci/gitlab-ci.yml
	check "the Kubernetes manifest" "$schemas" -m kubernetes_validate -k 1.31 --strict docs/ci/kubernetes.yaml
	check "its commands can be taken out" "$schemas" tests/cli/runtime/cli/workflow.py docs/ci/github-actions.yml "$tmp/steps"
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
	exits "its steps run here, but for make and the compiler, and end as a job with a new bug" 3 sh -c "cd '$tmp/work' && \
		PATH='$tmp/bin:$PATH' MADE='$tmp/made' BACKEND=fake FUZZ_TIME=2s GITHUB_STEP_SUMMARY='$tmp/step' sh -e '$tmp/steps'"
	says "they build" '^make .*' "$tmp/made"
	says "and install" '^make backends BACKEND=fake$' "$tmp/made"
	check "they write what the later steps take" [ -s "$tmp/work/rulefuzz-report/rulefuzz.sarif" -a -s "$tmp/work/rulefuzz-report/report.html" ]
	says "and the host's summary" '^# rulefuzz: ' "$tmp/step"
	check "what they cache is there" [ -s "$tmp/work/rulefuzz-state/findings.db" -a -s "$tmp/work/rulefuzz-state/findings.db.models/fake.jsonl" ]
else
	skip "the workflow files by their schemas" "no $schemas"
fi

# ---- a Slurm array, as Slurm starts it, against one run of the same models
printf '#!/bin/sh\nexec sh "%s" error\n' "$PWD/tests/data/backends/fake.sh" >"$tmp/fake" && chmod +x "$tmp/fake"
task() { # task VARIABLE=VALUE… COMMAND…: with these variables as the whole environment
	env BACKEND=fake FUZZ_TIME=60s STATE="$tmp/slurm" RULEFUZZ="$fuzz" SLURM_ARRAY_TASK_MIN=2 SLURM_ARRAY_TASK_MAX=4 \
		RULEFUZZ_OPTIONS="--framework torch --probe 0 --count 20 --backend-command $tmp/fake" "$@"
}
for id in 2 3 4; do
	exits "task $id of an array" 0 task SLURM_ARRAY_TASK_ID=$id bash docs/ci/slurm.sh
done
exits "and one that merges" 0 task bash docs/ci/slurm.sh merge
"$fuzz" run --backend fake --framework torch --backend-command "$tmp/fake" --count 20 --seed 1 --db "$tmp/one.db" >"$tmp/shown" 2>&1
buckets() { "$fuzz" list --json --db "$1" | python3 -c 'import json, sys
for finding in sorted(f["bucket"] for f in json.load(sys.stdin)["findings"]): print(finding)'; }
buckets "$tmp/slurm/all.db" >"$tmp/merged" && buckets "$tmp/one.db" >"$tmp/single"
check "find together what one run finds" sh -c "[ -s '$tmp/merged' ] && cmp '$tmp/merged' '$tmp/single'"
echo "1..$n"
