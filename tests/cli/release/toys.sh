#!/bin/sh
# A toy clause template, output template, operation and model feature, each one file (and the row) of a copy of the tree, as the guides
# describe. rulesmith, built there, finds the rules that need them. rulefuzz has the feature's option, setting and models.
# The programs without the toys do not.
BUILD=${BUILD:-build}
. tests/cli/tap.sh
tree=$tmp/tree
mkdir -p "$tree/docs/findings" "$tree/traces/collect" "$tmp/records"
tar -cf - Makefile mk synth runtime codegen packages traces/backends.sh docs/findings/index.tsv | tar -xf - -C "$tree"
for api in toy.clause toy.output toy.operation; do python3 tests/data/toys/records.py $api >"$tmp/records/$api.jsonl"; done
found() { # found PROGRAM API RULE: whether the rule has this text
	"$1" synth --traces "$tmp/records/$2.jsonl" -j 1 2>"$tmp/err" | grep -qF "$3"
}
operation() { found "$1" toy.operation '"out":["round_up(s0, s1)"],"valid":["round_up(s0, s1) <= s2"]'; }
finds() {
	found "$1" toy.clause '"valid":["min(s0, s2)%3 == 2","min(s1, s3)%3 == 2"]' && found "$1" toy.output '"out":["(s0*s0 + s1*s1)*(s0 + 7)"]'
}
neither() {
	! found "$BUILD/rulesmith" toy.clause 'min(s0, s2)%3' && ! found "$BUILD/rulesmith" toy.output '"out":["(' &&
		! found "$BUILD/rulesmith" toy.operation '"out"'
}
check "without the toys, none of the rules" neither
sed -i 's|^	X("s0 == s1", 16)|	X("min(s0, s1)%3 == 2", 30) &|' "$tree/synth/rule/costs.h"
sed -i -e '/^\/\* Adds a fold of the symbols/{
	r tests/data/toys/output_template.c
	N
}' -e 's|^	add_wildcards(t, p, sample);|&\n	add_toys(t, p, sample);|' "$tree/synth/search/target.c"
sed -i '/^#define DERIVED_OPS/r tests/data/toys/operation.def' "$tree/synth/rule/ops.h"
# Only objects that the toys change are recompiled. Objects keep their times, and are newer than the sources.
mkdir "$tree/build"
tar -C "$BUILD" -cf - synth codegen runtime script onnx | tar -C "$tree/build" -xf -
check "each is one file" test "$(diff -qr synth "$tree/synth" | wc -l)" -eq 3
check "rulesmith with the toys" make -s -C "$tree" B=build CFLAGS=-O0 DEPS=skip "-j$(nproc)" build/rulesmith
check "… finds both rules of the templates" finds "$tree/build/rulesmith"
check "… and the rule of the operation" operation "$tree/build/rulesmith"

# Page, C text and Z3 term follow from the definition.
emitted() { grep -qF "$1" "$tmp/emitted/onnx/toy.operation.c"; }
equals() { # equals EXPRESSION: Z3 and drawn calls find no difference between it and the learned output
	sed "s|\"out\":\[\"round_up(s0, s1)\"\]|\"out\":[\"$1\"]|" "$tmp/rules" >"$tmp/other"
	! cmp -s "$tmp/rules" "$tmp/other" && "$tree/build/rulesmith" diff "$tmp/rules" "$tmp/other" >"$tmp/diff" 2>&1
}
differs() { ! equals "$1" && grep -q '1 APIs differ' "$tmp/diff"; }
"$tree/build/rulesmith" synth --traces "$tmp/records/toy.operation.jsonl" -j 1 >"$tmp/rules" 2>/dev/null
check "emits it" "$tree/build/rulesmith" emit -q "$tmp/rules" -o "$tmp/emitted"
check "… its name is on the page" emitted 'M = round_up(K, to)'
check "… the C code has its definition" emitted '(0 - floordiv(0 - at(x, i), to)) * to'
check "… which compiles" ${CC:-cc} -std=gnu11 -Wall -Wextra -Werror -iquote runtime/include -fsyntax-only "$tmp/emitted/onnx/toy.operation.c"
check "Z3 knows its meaning" equals 's0 + (0 - s0)%s1'
check "… from another one for negative numbers" differs '(s0 + s1 - 1)\/\/s1*s1'

made() { "$1" gen --framework onnx --seed 5 --count 20 --nodes 6 "$2" "$3"; }
outputs() { grep -o '"outputs":\[[0-9,]*\]}$' | tr -cd ',\n' | wc -c; } # the results of models, but for the first of each
expect "without the toy, no option" 2 "unknown option .--return-all." "$BUILD/rulefuzz" gen --return-all 1
cp tests/data/toys/feature.c "$tree/runtime/generate/feature/return_all.c"
sed -i 's|^	    ".*")$|& \\\n	FEATURE(return_all, "return-all", NOTHING, 50, MODEL, 19, gen_return_all, "fraction of models that return all results")|' \
	"$tree/runtime/include/modelfeatures.h"
check "one file and its row" test "$(diff -qr runtime "$tree/runtime" | wc -l)" -eq 2
check "… within the limits of the house" python3 .ci/house.py --root "$tree" --but export,make
# The struct of features is in all objects of rulefuzz, but in none of generated/, which stand in one.
cp "$BUILD/lib/rules.o" "$tree/build/generated.o"
check "rulefuzz with the toy" make -s -C "$tree" B=build GENERATED=build/generated.o CFLAGS=-O0 DEPS=skip "-j$(nproc)" build/rulefuzz
"$tree/build/rulefuzz" run --help >"$tmp/help"
check "… has its help" grep -qE -- '--return-all R +fraction of models that return all results .*run: 0.05' "$tmp/help"
"$tree/build/rulefuzz" run --backend fake --framework onnx --backend-command "sh tests/data/backends/fake.sh ok" --db "$tmp/db" --count 1 --json >"$tmp/run"
check "… its setting, with the default" grep -q '"return-all":"50"' "$tmp/run"
made "$BUILD/rulefuzz" --repeats 0.5 >"$tmp/before"
made "$tree/build/rulefuzz" --repeats 0.5 >"$tmp/none"
made "$tree/build/rulefuzz" --return-all 1 >"$tmp/all"
made "$tree/build/rulefuzz" --return-all 0 >"$tmp/no"
check "… the same models without it" cmp "$tmp/before" "$tmp/none"
check "… and more results with it" test "$(outputs <"$tmp/all")" -gt "$(($(outputs <"$tmp/no") * 3 / 2))"
sed -i 's|MODEL, 19, gen_return_all|MODEL, 16, gen_return_all|' "$tree/runtime/include/modelfeatures.h"
expect "two features of one stream do not compile" 2 "two features have one stream" \
	make -s -C "$tree" B=build CFLAGS=-O0 DEPS=skip build/runtime/generate/generator.o
echo "1..$n"
