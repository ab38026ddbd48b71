#!/bin/sh
# A toy clause template and a toy output template, each one file of a copy of the tree, as the guides describe: rulesmith, built
# there, finds the rules that need them. The program without them does not.
BUILD=${BUILD:-build}
. tests/cli/tap.sh
tree=$tmp/tree
mkdir -p "$tree/traces/collect" "$tmp/records"
tar -cf - Makefile mk synth runtime codegen packages traces/backends.sh | tar -xf - -C "$tree"
for api in toy.clause toy.output; do python3 tests/data/toys/records.py $api >"$tmp/records/$api.jsonl"; done
found() { # found PROGRAM API RULE: whether the rule has this text
	"$1" synth --traces "$tmp/records/$2.jsonl" -j 1 2>"$tmp/err" | grep -qF "$3"
}
finds() {
	found "$1" toy.clause '"valid":["min(s0, s2)%3 == 2","min(s1, s3)%3 == 2"]' && found "$1" toy.output '"out":["(s0*s0 + s1*s1)*(s0 + 7)"]'
}
neither() { ! found "$BUILD/rulesmith" toy.clause 'min(s0, s2)%3' && ! found "$BUILD/rulesmith" toy.output '"out":["('; }
check "without the toys, none of both rules" neither
sed -i 's|^	X("s0 == s1", 16)|	X("min(s0, s1)%3 == 2", 30) &|' "$tree/synth/rule/costs.h"
sed -i -e '/^\/\* Adds a fold of the symbols/{
	r tests/data/toys/output_template.c
	N
}' -e 's|^	add_wildcards(t, p, sample);|&\n	add_toys(t, p, sample);|' "$tree/synth/search/target.c"
# Only objects that the toys change are recompiled. Objects keep their times, and are newer than the sources.
mkdir "$tree/build"
tar -C "$BUILD" -cf - synth codegen runtime script | tar -C "$tree/build" -xf -
check "each is one file" test "$(diff -qr synth "$tree/synth" | wc -l)" -eq 2
check "rulesmith with the toys" make -s -C "$tree" B=build DEPS=skip build/rulesmith
check "… finds both rules" finds "$tree/build/rulesmith"
echo "1..$n"
