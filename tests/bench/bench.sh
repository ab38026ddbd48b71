#!/bin/bash
# make bench: the project's figures, measured on this machine in one run, beside published ones
# (docs/measurements/). Times are CPU seconds of one core. The rows also go to BUILD/bench.json.
#   usage: bench.sh BUILD [PART…]     parts: synthesis eval isra neuri growth metrics olc samplers seeds validity loop peers
#   Environment: SEEDS (1000000), VALIDITY (1000; 0: none), LOOP (3000 models; 0: none), JOBS, NNSMITH_PYTHON, ISRA_DIR, ISRA_PYTHON
set -eu
b=$1
shift
[ $# -gt 0 ] || set -- synthesis eval isra neuri growth metrics olc samplers seeds validity loop peers
SEEDS=${SEEDS:-1000000} VALIDITY=${VALIDITY:-1000} LOOP=${LOOP:-3000} JOBS=${JOBS:-$(nproc)}
venvs=${RULESMITH_VENVS:-${XDG_CACHE_HOME:-$HOME/.cache}/rulesmith/venv} # where traces/backends.sh installs
out=$b/bench rows=$b/bench/rows.jsonl
mkdir -p "$out"
: >"$rows"
failed=0
venvs=${RULESMITH_VENVS:-${XDG_CACHE_HOME:-$HOME/.cache}/rulesmith/venv}

# ---- reading, and rows

number() { # number FILE KEY [OBJECT]: a number of a JSON line, of the first object of that name
	local text
	if [ $# -gt 2 ]; then text=$(grep -o "\"$3\":{[^}]*}" "$1" | head -1); else text=$(cat "$1"); fi
	sed -n "s/.*\"$2\":\([0-9.eE+-]*\).*/\1/p" <<<"$text" | head -1
}
calc() { # calc FORMAT EXPRESSION
	awk "BEGIN { printf \"$1\", $2 }"
}
section() { printf '\n%-52s %12s  %-12s %-6s %s\n' "$1" here 'must be' '' 'published, or for comparison'; }
row() { # row MEASURE HERE 'OP BOUND'|'' PUBLISHED: OP is <=, >= or >
	local met=null mark=''
	if [ -n "$3" ]; then
		if awk "BEGIN { exit !($2 $3) }"; then met=true mark=yes; else met=false mark=NO; fi
	fi
	printf '%-52s %12s  %-12s %-6s %s\n' "$1" "$2" "$3" "$mark" "$4"
	printf '{"part":"%s","measure":"%s","here":%s,"must":"%s","met":%s,"published":"%s"}\n' "$part" "$1" "$2" "$3" "$met" "$4" >>"$rows"
}
note() { printf '%-52s %s\n' "$1" "$2"; }
processor() { # processor COMMAND…: its CPU seconds; its output is discarded
	local TIMEFORMAT='%U %S' spent
	spent=$( { time "$@" >/dev/null; } 2>&1 | tail -1)
	calc %.3f "${spent/ / + }"
}

summary() { # summary NAME OPTION…: generates, and writes the summary of the fastest of three equal runs to a file of that name
	local name=$1 try
	shift
	for try in 1 2 3; do
		"$b/rulefuzz" gen "$@" --seed 1 --format none --json >"$out/$name.try" || return 1
		if [ $try -gt 1 ] && awk "BEGIN { exit !($(number "$out/$name.try" cpu_seconds) >= $(number "$out/$name.json" cpu_seconds)) }"; then
			continue
		fi
		mv "$out/$name.try" "$out/$name.json"
	done
	rm -f "$out/$name.try"
}
each() { # each NAME KEY UNITS [FORMAT]: CPU time per KEY (models, nodes), and UNITS per second
	calc "${4:-%.2f}" "$(number "$out/$1.json" cpu_seconds) * $3 / $(number "$out/$1.json" "$2")"
}
rate() { calc %.0f "$(number "$out/$1.json" "$2") / $(number "$out/$1.json" cpu_seconds)"; }

# ---- the parts

part_synthesis() {
	section synthesis
	"$b/rulesmith" synth $(printf -- '--traces %s ' traces/*/) -o "$out/rules.jsonl" --statistics "$out/synth.json" 2>/dev/null
	row 'operators' "$(number "$out/synth.json" operators)" '' ''
	row 'wall s' "$(number "$out/synth.json" wall_seconds)" '' ''
	row 'CPU s' "$(number "$out/synth.json" cpu_seconds)" '' 'NeuRI, 7,066 operators: about 1,700,000'
	row 'expressions a second' "$(number "$out/synth.json" expressions_per_second)" '' ''
	"$b/bench_column" --json >"$out/column.json"
	row 'columns, a + b, points a second' "$(number "$out/column.json" ADD)" '' ''
	row 'columns, a // b, points a second' "$(number "$out/column.json" DIV)" '' ''
}

part_eval() {
	local lines spent
	section 'compiled rules'
	"$b/bench_eval" --json >"$out/eval.json"
	"$b/bench_eval_lines" >"$out/lines.jsonl"
	lines=$(wc -l <"$out/lines.jsonl")
	spent=$(processor "$b/rulefuzz" eval "$out/lines.jsonl")
	rm -f "$out/lines.jsonl"
	row 'a rule, ns (valid and propagate)' "$(number "$out/eval.json" rule_ns)" '<= 50' ''
	row 'rulefuzz eval, lines a second' "$(calc %.0f "$lines / $spent")" '>= 300000' ''
}

isra65='--framework onnx --strategy isra --ops isra65 --nodes 1..200 --count 10000'

part_isra() {
	local spent
	section 'isra: 10,000 models of 1 to 200 nodes, isra65'
	summary isra $isra65
	row 'generation, CPU s' "$(number "$out/isra.json" cpu_seconds)" '<= 2' 'Isra 320 (paper), about 200 measured on such a machine'
	row 'models a second' "$(rate isra models)" '' 'Isra about 50'
	row 'operators a second' "$(rate isra nodes)" '' 'Isra about 4,900'
	rm -rf "$out/onnx"
	spent=$(processor "$b/rulefuzz" gen $isra65 --seed 1 --format onnx -o "$out/onnx")
	row 'with ONNX files written, CPU s' "$spent" '<= 20' "$(du -sm "$out/onnx" | cut -f1) MB in $(ls "$out/onnx" | wc -l) files"
	rm -rf "$out/onnx"
}

part_neuri() {
	local f
	section 'neuri: models of 5 nodes'
	for f in torch tensorflow onnx; do
		summary "neuri-$f" --framework $f --nodes 5 --count 200000
		row "$f, µs a model" "$(each "neuri-$f" models 1e6)" '<= 5' 'NeuRI 60,000 to 67,000; NNSmith 5,000 to 8,000 measured'
		row "$f, operators a second" "$(rate "neuri-$f" nodes)" '>= 1000000' ''
	done
}

growth_row() { # growth_row NAME NODES OPTION…: 10, 100, 1,000 and 10,000 nodes a model, NODES nodes each
	local name=$1 nodes=$2 n costs=''
	shift 2
	for n in 10 100 1000 10000; do
		summary "growth-$n" "$@" --nodes $n --count $((nodes / n))
		costs="$costs $(each "growth-$n" nodes 1e9 %.0f)"
	done
	set -- $costs
	row "$name" "$(calc %.2f "$4 / $1")" '<= 2' "ns a node at 10, 100, 1,000, 10,000: $1 $2 $3 $4"
}
part_growth() {
	section 'growth: cost a node at 10,000 nodes / at 10'
	growth_row 'neuri, torch' 1000000 --framework torch
	growth_row 'neuri, tensorflow' 1000000 --framework tensorflow
	growth_row 'neuri, onnx' 1000000 --framework onnx
	growth_row 'isra, isra65' 1000000 --framework onnx --strategy isra --ops isra65
	growth_row 'graph, graph50 of tensorflow' 100000 --framework tensorflow --strategy graph --ops graph50
	note '(NNSmith, 100 nodes)' '146 ms concolic, 2.4 s symbolic, 5.3 s default, one model 147 s'
}

part_metrics() {
	local m
	section "Isra's metrics: the same models"
	"$b/rulefuzz" coverage $isra65 --seed 1 --json >"$out/metrics.json"
	m() { row "$1" "$(number "$out/metrics.json" "$1" isra)" "$2" "Isra $3"; }
	m OTC '>= 100' 100
	m IDC '> 92.95' 92.95
	m ODC '>= 11.85' 11.85
	m SEC '> 98.27' 98.27
	m DEC '>= 90.2' 90.2
	m SPC '> 3001.9' 3001.9
	m NOO '' 100.9
	m NOT '' 45.2
	m NOP '' 103.8
	m NTR '' 102.9
	m NSA '' 26.6
}

olc() { # olc BLOCKS OPTION…: operator-level coverage of 400 models, %, the mean of ten seeds
	local n=$1 seed sum=0
	shift
	for seed in 1 2 3 4 5 6 7 8 9 10; do
		"$b/rulefuzz" coverage --framework tensorflow --strategy graph --ops graph50 --nodes "$n" --count 400 --seed $seed "$@" \
			--json >"$out/olc.json"
		sum="$sum + $(number "$out/olc.json" OLC operator_level)"
	done
	calc %.1f "($sum) * 10"
}
part_olc() {
	section 'graph: operator-level coverage of 400 models, %'
	row '5 blocks, MCTS and mutations' "$(olc 5)" '>= 70' 'graph-based fuzz testing 61.5'
	row '10 blocks' "$(olc 10)" '>= 85' 76.4
	row '15 blocks' "$(olc 15)" '>= 90' 81.7
	row '5 blocks, random' "$(olc 5 --chooser random --mutations off)" '' 60.2
	row '10 blocks, random' "$(olc 10 --chooser random --mutations off)" '' 69.9
	row '15 blocks, random' "$(olc 15 --chooser random --mutations off)" '' 71.8
	"$b/rulefuzz" gen --framework tensorflow --strategy graph --ops graph50 --nodes 15 --count 400 --format none --json >"$out/graph.json"
	row '15 blocks, CPU s for 400 models' "$(number "$out/graph.json" cpu_seconds)" '' ''
}

part_samplers() {
	local f sum='' all=''
	section 'samplers: share of direct ones, %'
	for f in torch tensorflow onnx; do
		"$b/rulefuzz" rules --framework $f --json >"$out/rules.json"
		row "$f" "$(calc %.2f "100 * $(number "$out/rules.json" direct samplers) / $(number "$out/rules.json" operators_with_rule)")" '' \
			"$(number "$out/rules.json" bounded samplers) with dead ends, $(number "$out/rules.json" record samplers) from records"
		sum="$sum + $(number "$out/rules.json" direct samplers)" all="$all + $(number "$out/rules.json" operators_with_rule)"
	done
	row 'all' "$(calc %.2f "100 * (0 $sum) / (0 $all)")" '>= 95' ''
}

part_seeds() {
	section "$SEEDS seeds, 5 nodes, run twice"
	if ! tests/bench/seeds.sh "$b/rulefuzz" "$SEEDS" neuri >"$out/seeds.jsonl"; then failed=1; fi
	if ! tests/bench/seeds.sh "$b/rulefuzz" $((SEEDS / 10)) isra graph >>"$out/seeds.jsonl"; then failed=1; fi
	local line
	while read -r line; do
		echo "$line" >"$out/seed.json"
		set -- $(sed 's/.*"strategy":"\([a-z]*\)","framework":"\([a-z]*\)".*"digest":"\([0-9a-f]*\)","again":"\([0-9a-f]*\)".*/\1 \2 \3 \4/' \
			"$out/seed.json")
		row "$1, $2, the same bytes (1: yes)" "$([ "$3" = "$4" ] && echo 1 || echo 0)" '>= 1' \
			"$(number "$out/seed.json" models) models, $(number "$out/seed.json" cpu_seconds) CPU s, digest $3"
	done <"$out/seeds.jsonl"
	[ "$(wc -l <"$out/seeds.jsonl")" -eq 9 ] || note 'seeds' 'some runs FAILED, see above'
}

validity_row() { # validity_row FRAMEWORK NODES
	local said
	"$b/rulefuzz" gen --framework "$1" --nodes "$2" --count "$VALIDITY" --seed 1 |
		"$b/rulefuzz" validity "$1" --quiet --jobs "$JOBS" >"$out/validity" 2>&1 || true
	said=$(sed -n 's/^\([0-9]*\) of \([0-9]*\) models valid (.*interval \([0-9.]* to [0-9.]*\) %), \([0-9.]*\) % finite.*/\1 \2 \4 \3/p' \
		"$out/validity" | tail -1)
	if [ -z "$said" ]; then
		note "$1, $2 nodes" "FAILED: $(tail -1 "$out/validity")"
		failed=1
		return
	fi
	set -- "$1" "$2" $said
	row "$1, $2 nodes" "$(calc %.2f "100 * $3 / $4")" '>= 99.9' \
		"$(neuri_validity "$1")$3 of $4, 95 % interval $6 to $8; $5 % of the models all finite"
}
neuri_validity() {
	case $1 in
	torch) echo 'NeuRI 98.9; ' ;;
	tensorflow) echo 'NeuRI 94.8; ' ;;
	onnx) echo 'Isra 100 by design; ' ;;
	esac
}
part_validity() {
	local f n
	[ "$VALIDITY" -gt 0 ] || return 0
	section "valid models, %: $VALIDITY each, run by the framework"
	for f in torch tensorflow onnx; do
		for n in 10 100; do
			if [ -x "$venvs/$f/bin/python" ]; then
				validity_row $f $n
			else
				note "$f, $n nodes" "not installed (make backends FRAMEWORK=$f)"
			fi
		done
	done
}

loop_run() { # loop_run NAME SEED DATABASE OPTION…: CPU milliseconds a model of a run, or nothing if it failed
	local name=$1 seed=$2 db=$3 code=0
	shift 3
	"$b/rulefuzz" run --backend onnxruntime --count "$LOOP" --seed "$seed" --probe 20s --jobs 1 --db "$db" --progress 0 --json "$@" \
		>"$out/$name.json" 2>"$out/$name.err" || code=$?
	case $code in 0 | 3 | 4) ;; *) return ;; esac
	python3 -c 'import json, sys
run = json.loads(open(sys.argv[1]).read().splitlines()[-1])
print("%.2f" % (1000 * sum(run["cpu_seconds"].values()) / run["counts"]["models"]))' "$out/$name.json"
}
# A run finds, reduces and confirms failures, and checks most models by the fast path; the loop only compares.
part_loop() {
	local python=$venvs/onnx/bin/python
	[ "$LOOP" -gt 0 ] || return 0
	section "rulefuzz run and a plain Python loop: $LOOP models"
	if [ ! -x "$python" ]; then
		note onnxruntime 'not installed (make backends FRAMEWORK=onnx)'
		return
	fi
	rm -rf "$out/loop" "$out"/loop.db* && mkdir -p "$out/loop"
	loop_row 'from nothing' "$(loop_run loop-new 1 "$out/loop.db" --save-models "$out/loop")" "$python"
	loop_row 'with its database' "$(loop_run loop-known 2 "$out/loop.db")" "$python"
	rm -rf "$out/loop"
}
loop_row() { # loop_row NAME MS PYTHON: beside the loop over the models that were saved
	[ -n "$2" ] || { note "$1" "FAILED: $(tail -1 "$out"/loop-*.err)" && failed=1 && return; }
	[ -s "$out/plain.json" ] && [ "$1" != 'from nothing' ] ||
		PYTHONPATH=runtime/python "$3" tests/bench/peers/loop.py "$out/loop" >"$out/plain.json" 2>"$out/plain.err" || true
	[ -s "$out/plain.json" ] || { note "$1" "FAILED: $(tail -1 "$out/plain.err")" && failed=1 && return; }
	local plain && plain=$(each plain models 1e3)
	row "$1, ms of processor time a model" "$2" '' "plain loop $plain"
	row "$1, speed beside the loop" "$(calc %.2f "$plain / $2")" '>= 1' "$(calc %.0f "1000 / $2") models a second and processor"
}

# ---- peers: other generators, if they are installed

nnsmith_row() { # nnsmith_row METHOD NODES COUNT SECONDS
	local name="nnsmith-$1-$2"
	# One model may take minutes: print the counts reached by then.
	timeout 90 "$nnsmith" tests/bench/peers/nnsmith_models.py "$@" "$out/models.jsonl" >"$out/$name.out" 2>"$out/$name.err" || true
	tail -1 "$out/$name.out" >"$out/$name.json"
	if [ ! -s "$out/$name.json" ] || [ "$(number "$out/$name.json" models)" -eq 0 ]; then
		note "NNSmith, $1, $2 nodes" "no model in 90 s; $(tail -1 "$out/$name.err")"
		return
	fi
	row "NNSmith, $1, $2 nodes, ms a model" "$(each "$name" models 1e3)" '' \
		"$(number "$out/$name.json" models) models, the slowest $(calc %.0f "1000 * $(number "$out/$name.json" slowest_seconds)") ms"
}
peer_nnsmith() {
	local f
	nnsmith=${NNSMITH_PYTHON:-$venvs/nnsmith/bin/python}
	if [ ! -x "$nnsmith" ]; then
		note NNSmith 'not installed (traces/backends.sh nnsmith, or NNSMITH_PYTHON)'
		return
	fi
	nnsmith_row concolic 5 1000 20
	nnsmith_row symbolic 5 1000 20
	nnsmith_row symbolic-cinit 5 1000 20
	[ -s "$out/models.jsonl" ] && compare_diversity
	nnsmith_row concolic 100 50 20
	nnsmith_row symbolic 100 50 20
	nnsmith_row symbolic-cinit 100 50 20
	summary beside --framework torch --nodes 5 --count 200000
	row 'neuri, torch, 5 nodes, ms a model' "$(each beside models 1e3 %.4f)" '' ''
	summary beside --framework torch --nodes 100 --count 10000
	row 'neuri, torch, 100 nodes, ms a model' "$(each beside models 1e3 %.4f)" '' ''
}
# The same number of models of each, counted the same way: types, and distinct shapes and attributes over all.
compare_diversity() {
	local n
	n=$(wc -l <"$out/models.jsonl")
	"$b/rulefuzz" coverage --corpus seen --json "$out/models.jsonl" >"$out/nnsmith-coverage.json"
	"$b/rulefuzz" gen --framework torch --nodes 5 --count "$n" --seed 1 >"$out/models.jsonl"
	"$b/rulefuzz" coverage --corpus seen --json "$out/models.jsonl" >"$out/neuri-coverage.json"
	row "NNSmith, operator types in $n models of 5 nodes" "$(number "$out/nnsmith-coverage.json" apis corpus)" '' \
		"here $(number "$out/neuri-coverage.json" apis corpus)"
	row "NNSmith, distinct vectors" "$(vectors nnsmith)" '' "here $(vectors neuri) (shapes of inputs and attributes, types told apart)"
}
vectors() { calc %.0f "$(number "$out/$1-coverage.json" SPC isra) * $(number "$out/$1-coverage.json" apis corpus)"; }

# Isra's generator writes beside each model the generation time so far, without file output.
peer_isra() {
	local python=${ISRA_PYTHON:-$venvs/onnx/bin/python} said
	if [ -z "${ISRA_DIR:-}" ] || [ ! -f "${ISRA_DIR:-}/g.py" ]; then
		note Isra 'not installed (ISRA_DIR: a checkout of israProj/isra)'
		return
	fi
	rm -rf "$out/isra" && mkdir -p "$out/isra"
	python=$(realpath -s "$python")
	(cd "$out/isra" && "$python" "$(realpath "$ISRA_DIR")/g.py" --minnode 1 --maxnode 200 --pickrate 0.97 --seed 100 --loop 1 \
		--times 500 --case pickrate) >"$out/isra.out" 2>&1 || true
	said=$(sed -n 's/^at time \([0-9.]*\) generate \([0-9]*\) models/\1 \2/p' "$out"/isra/models/pickrate/time/*.txt 2>/dev/null | tail -1)
	rm -rf "$out/isra"
	[ -n "$said" ] || { note Isra "FAILED: $(tail -1 "$out/isra.out")" && return; }
	set -- $said
	row 'Isra, 1 to 200 nodes, ms a model' "$(calc %.2f "1000 * $1 / $2")" '' "$2 models, wall time, generation alone"
	summary isra $isra65
	row 'isra, isra65, 1 to 200 nodes, ms a model' "$(each isra models 1e3 %.4f)" '' ''
}
part_peers() {
	section 'peers, on this machine'
	peer_nnsmith
	peer_isra
}

# ---- all

for part in "$@"; do
	[ "$(type -t "part_$part")" = function ] || { echo "bench.sh: error: no part '$part'" >&2 && exit 2; }
done
for part in "$@"; do "part_$part"; done
{ printf '{"schema":2,"rows":[' && paste -sd, "$rows" | tr -d '\n' && printf ']}\n'; } >"$b/bench.json"
printf '\n%s of %s figures are as they must be (%s)\n' "$(grep -c '"met":true' "$rows" || true)" \
	"$(grep -c '"met":\(true\|false\)' "$rows" || true)" "$b/bench.json"
exit $failed
