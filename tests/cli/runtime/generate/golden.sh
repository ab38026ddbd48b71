#!/bin/sh
# rulefuzz on a small table of its own, the rules of 32 APIs (tests/golden/synth/sample.jsonl): the same models, scripts, files,
# figures and pages as are kept in tests/golden/models, as sums where they are long. What generates differently on purpose
# changes them: UPDATE=1 writes them anew.
. tests/cli/tap.sh
fuzz=$BUILD/rulefuzz version=$("$BUILD/rulefuzz" --version | sed -n '1s/^rulefuzz \([0-9.]*\).*/\1/p') rules=tests/golden/synth/sample.jsonl
cc=${CC:-cc} && command -v "${cc%% *}" >/dev/null || { ok "models # SKIP no compiler" && echo "1..1" && exit; }
[ -n "$UPDATE" ] && mkdir -p tests/golden/models
"$BUILD/rulesmith" emit -q "$rules" --values tests/data/rules/sample_values.tsv --runs tests/data/rules/sample_runs.tsv -o "$tmp/c"
for framework in jax onnx tensorflow torch; do # in one unit each, for the compiler's start
	(cd "$tmp" && for c in c/$framework/*.c; do echo "#include \"$c\""; done) >"$tmp/$framework.c"
done
cp "$tmp/c/index.c" "$tmp/c/code.h" "$tmp"
check "the table compiles" ${CC:-cc} -w -O0 -shared -fPIC -iquote runtime/include -iquote "$tmp" "$tmp"/*.c -o "$tmp/rules.so"

gen() { "$fuzz" gen --rules "$tmp/rules.so" --chains 0 "$@"; }
digests() { # a line for each line of options: how many models, nodes, ways; and the digest of all
	while read -r options; do
		# shellcheck disable=SC2086
		gen --format none --json --seed 7 $options >"$tmp/json" 2>"$tmp/said" || sed "s|$tmp||" "$tmp/said"
		sed 's/"[a-z_]*seconds":[0-9.]*,//g; s/"models_per_second":[0-9]*,//' "$tmp/json" | sed "s|^|$options |"
	done
}
each() { # each LINE…: with each framework that has files of models or scripts
	for framework in torch tensorflow onnx; do printf -- "--framework $framework %s\n" "$@"; done
}
neuri=$(each '--count 500' '--count 100 --nodes 1..40 --values any' '--count 200 --initializers 0 --elements real' \
	'--count 200 --dynamic-shapes 1 --shape-instances 4' '--count 200 --invalid 1' '--count 200 --repeats 1 --elements whole' \
	'--count 300 --max-numel 20 --dim-max 3' '--count 300 --rank-max 2 --first 50')
isra=$(each '--strategy isra --count 300' '--strategy isra --count 50 --nodes 30 --picking 0.5 --repeats 0.5' \
	'--strategy isra --count 100 --dim-max 9 --rank-max 7 --initializers 1')
graph=$(each '--strategy graph --count 60 --nodes 1..12' '--strategy graph --count 40 --chooser random --model ws --mutations off' \
	'--strategy graph --count 40 --model rn --nodes 20 --dynamic-shapes 0.5')
calls=$(each '--strategy calls --count 300' '--strategy calls --count 300 --repeats 1')
torch='--framework torch --count 300 --layouts 1
--framework torch --count 200 --gradients 1 --elements mixed
--framework torch --count 200 --modules 1 --initializers 1
--framework torch --count 100 --layouts 1 --gradients 1 --modules 1 --repeats 1 --dynamic-shapes 1 --invalid 0.5'
for table in neuri isra graph calls torch; do
	eval "lines=\$$table"
	echo "$lines" >"$tmp/lines"
	golden "models: $table" "models/$table.txt" digests <"$tmp/lines"
done

written() { # written OPTION…: the first two as they are written, the sums of the others
	rm -rf "$tmp/out.d"
	gen --count 40 --seed 3 --nodes 1..8 --invalid 0.1 --repeats 0.3 --dynamic-shapes 0.2 "$@" -o "$tmp/out.d" || return
	find "$tmp/out.d" -name "*.py" -exec sed -i "s/rulefuzz $version/rulefuzz/" {} +
	for file in "$tmp/out.d"/*; do echo "$(cksum <"$file") ${file##*/}"; done | LC_ALL=C sort -k 3
	for file in "$tmp/out.d"/*-3-[01].[jp]*; do [ ! -e "$file" ] || cat "$file"; done
}
for framework in torch tensorflow onnx; do
	golden "$framework: models as JSON" "models/$framework.json.txt" written --framework $framework
	[ $framework = onnx ] || golden "… as scripts" "models/$framework.py.txt" written --framework $framework --format py
done
golden "… as files of ONNX" models/onnx.onnx.txt written --framework onnx --format onnx
golden "… scripts with layouts, gradients and modules" models/modules.py.txt written --format py --layouts 1 --gradients 1 --modules 1 --initializers 1

covered() { # covered OPTION…: the figures
	"$fuzz" coverage --rules "$tmp/rules.so" --chains 0 --seed 5 --count 200 "$@" --list
	"$fuzz" coverage --rules "$tmp/rules.so" --chains 0 --seed 5 --count 200 "$@" --json --html "$tmp/page.html"
	sed "s/$version//g" "$tmp/page.html" | cksum
}
without_time() { "$@" | sed '/second/d; s/"[a-z_]*seconds":[0-9.]*,//g; s/"models_per_second":[0-9.]*,//'; }
golden "diversity" models/coverage.txt without_time covered --framework onnx --corpus seen
golden "… of graphs" models/coverage_graph.txt without_time covered --framework torch --strategy graph --maxspc 5 --olc-weights 1,2,3,4,5 --out-degrees 1..3
known() { "$fuzz" rules --rules "$tmp/rules.so" "$@"; }
golden "what the table knows" models/rules.txt known
golden "… in a list" models/rules_list.txt known --list --json
pages() {
	sed 's/"m\./"torch./; s/"framework":"m"/"framework":"torch"/; /"torch.matmul-1"/d; s/s0 > 0/s0 >= 0/' "$rules" >"$tmp/old.jsonl"
	"$fuzz" site --rules "$rules" --library "$tmp/rules.so" --generated "$tmp/c" --since "$tmp/old.jsonl" --out "$tmp/site" >"$tmp/said"
	find "$tmp/site" -name '*.html' -exec sed -i "s/$version//g" {} +
	(cd "$tmp/site" && find . -type f ! -name '*.css' ! -name '*.js' | LC_ALL=C sort | xargs cksum)
}
golden "pages" models/site.txt pages
evaluated() { # what the records say themselves, and what is one off
	python3 - "$rules" <<'END' >"$tmp/calls"
import json, sys
for line in open(sys.argv[1]):
    rule = json.loads(line)
    for record in rule.get("records", [])[:3]:
        for off in range(-1, rule["nsym"]):
            s = record[: rule["nsym"]]
            print(json.dumps({"op": rule["op"], "in": [x - 1 if i == off else x for i, x in enumerate(s)]}))
END
	"$fuzz" eval --rules "$tmp/rules.so" "$tmp/calls" | cksum
	"$fuzz" eval --rules "$tmp/rules.so" "$tmp/calls" | grep -c '"valid":true'
}
golden "answers" models/eval.txt evaluated

# A library of the user's own functions, as `rulesmith learn` makes it: rs_own names those that models may call.
{ echo '{"rules":1,"operators":3,"solved":3}' && grep '"op":"torch.relu-' "$rules" | sed 's/torch\.relu/mine.ops.up/g'; } >"$tmp/own.jsonl"
own() { # own NAME…: the library with these names
	rm -rf "$tmp/own.d" "$tmp/own.so"
	"$BUILD/rulesmith" emit -q "$tmp/own.jsonl" -o "$tmp/own.d" || return
	{ printf 'const char *const rs_own[] = {' && printf '"%s", ' "$@" && echo '0};'; } >"$tmp/own.d/own.c"
	${CC:-cc} -w -O0 -shared -fPIC -iquote runtime/include "$tmp/own.d"/*.c "$tmp/own.d"/*/*.c -o "$tmp/own.so"
}
calls() { "$fuzz" gen --rules "$tmp/own.so" --count 3 --strategy calls --api "$1"; }
check "a function of the user's own" own mine.ops:up yours:f
check "… is called" sh -c "[ \$('$fuzz' gen --rules '$tmp/own.so' --count 3 --strategy calls --api 'mine.*' | grep -c '\"op\":\"mine.ops.up-[0-2]\"') -eq 3 ]"
check "… beside the framework's" sh -c "'$fuzz' gen --rules '$tmp/own.so' --count 1 --strategy calls --api torch.relu | grep -q '\"api\":\"torch.relu\"'"
check "… of the same framework alone" own other:up
expect "… and only if it is named" 1 "no API of torch that matches" calls 'mine.*'
for name in 'mine.ops;up:f' mine.ops.up :up mine: a:b:c; do
	own "$name"
	expect "no function: $name" 1 "not a function name: $name" calls 'mine.*'
done
echo "1..$n"
