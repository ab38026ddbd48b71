#!/bin/sh
# make bench: the speed of every stage, on this machine, in one run. JSON goes to BUILD/bench.json.
# usage: bench.sh BUILD_DIR
set -eu
b=$1
number() { sed -n "s/.*\"$2\":\([0-9.eE+-]*\).*/\1/p" "$1" | head -1; }
out=$b/bench
mkdir -p "$out"

"$b/rulesmith" synth $(printf -- '--traces %s ' traces/*/) -o "$out/rules.jsonl" --statistics "$out/synth.json" 2>/dev/null
"$b/bench_eval" --json >"$out/eval.json"
"$b/bench_eval_lines" >"$out/lines.jsonl"
lines=$(wc -l <"$out/lines.jsonl")
start=$(date +%s%N)
"$b/rulefuzz" eval "$out/lines.jsonl" >/dev/null
rate=$(awk "BEGIN { printf \"%.0f\", $lines * 1e9 / ($(date +%s%N) - $start) }")
"$b/rulefuzz" gen --nodes 5 --count 200000 --seed 1 --format none --json >"$out/gen5.json"
"$b/rulefuzz" gen --nodes 100 --count 5000 --seed 1 --format none --json >"$out/gen100.json"
rm -f "$out/lines.jsonl"
"$b/bench_column" --json >"$out/column.json"

cat <<TABLE
stage                                        here              published or asked for
synthesis, wall s ($(number "$out/synth.json" operators) operators)          $(number "$out/synth.json" wall_seconds)
synthesis, CPU s                             $(number "$out/synth.json" cpu_seconds)            NeuRI, 7,066 operators: about 1,700,000
synthesis, expressions a second              $(number "$out/synth.json" expressions_per_second)
columns, a + b, points a second              $(number "$out/column.json" ADD)
columns, a // b, points a second             $(number "$out/column.json" DIV)
compiled rule, ns (valid and propagate)      $(number "$out/eval.json" rule_ns)              at most 50
rulefuzz eval, lines a second                $rate           at least 300,000
models of 5 nodes a second, one core         $(number "$out/gen5.json" models_per_second)          NeuRI 15, NNSmith 125 to 200; at least 100,000
models of 100 nodes a second, one core       $(number "$out/gen100.json" models_per_second)            NNSmith 7
TABLE
printf '{"schema":1,"synthesis":%s,"eval":%s,"eval_lines_per_second":%s,"gen5":%s,"gen100":%s,"column":%s}\n' \
	"$(cat "$out/synth.json")" "$(cat "$out/eval.json")" "$rate" "$(cat "$out/gen5.json")" "$(cat "$out/gen100.json")" \
	"$(cat "$out/column.json")" >"$b/bench.json"
