#!/bin/sh
# rulesmith emit on the rules of 43 APIs (tests/golden/synth/sample.jsonl): a checksum per file; emit.sh
# compares small ones byte by byte. If a checksum differs, emit with the previous version and compare; UPDATE=1
# rewrites the checksums.
. tests/cli/tap.sh
smith=$BUILD/rulesmith
[ -n "$UPDATE" ] && mkdir -p tests/golden/emit
sums() { (cd "$1" && find . -type f | LC_ALL=C sort | xargs cksum); }
emit() { # emit RULES [OPTION…]
	"$smith" emit -q "$@" -j1 -o "$tmp/c" && sums "$tmp/c"
}
for rules in sample together resorts family; do
	golden "the C of $rules" "emit/$rules.txt" emit "tests/golden/synth/$rules.jsonl"
	rm -rf "$tmp/c"
done
classes() { emit tests/golden/synth/sample.jsonl --values tests/data/rules/sample_values.tsv --runs tests/data/rules/sample_runs.tsv; }
golden "… with classes of element values, and the results of runs" emit/classes.txt classes
echo "1..$n"
