# Every kind of bad record gives one line `path:line: error: what` and exit 1, and nothing is written.
. tests/cli/tap.sh
rejects() { # rejects FIXTURE LINE PATTERN
	expect "$1 is rejected" 1 "^tests/bad/$1.jsonl:$2: error: .*$3" \
		"$BUILD/rulesmith" synth --traces "tests/bad/$1.jsonl" -o "$tmp/rules.jsonl"
	if [ -e "$tmp/rules.jsonl" ]; then not_ok "$1: nothing is written"; rm "$tmp/rules.jsonl"; fi
}
rejects truncated_line 2 'not JSON'
rejects wrong_arity 1 'passing record 1: expected 1 values, got 2'
rejects wrong_output_arity 1 'passing record 2: expected 1 values, got 0'
rejects wrong_fail_arity 1 'failing record 1: expected 1 values, got 2'
rejects float_for_integer 1 'expected an integer, not 3\.5'
rejects string_for_integer 1 'expected an integer, not "three"'
rejects api_not_identifier 1 'API name "f\.add\(1\); system"'
rejects argument_not_identifier 1 'argument name "x\*"'
rejects operator_name_not_of_api 1 'operator name "\.\./\.\./etc/passwd-0"'
rejects symbols_out_of_order 1 'expected symbol "s0", got "s1"'
rejects missing_key 1 'key "fail" is missing'
rejects position_not_boolean 1 'key "pos": expected true or false'
rejects unknown_value 1 'expected a symbol, a tensor'
rejects range_of_one 1 'key "range": expected two symbols'
rejects elements_without_dtype 1 'dtype'
rejects tensor_in_elements 1 'key "elements": tensors are not allowed here'
rejects duplicate_operator 2 'operator "f.add-0" is also at tests/bad/duplicate_operator.jsonl:1'
rejects empty_file 1 'the file is empty'
rejects not_an_object 1 'expected an object'
rejects not_json 1 'not JSON at column 1'
rejects nested_too_deep 1 'not JSON'
mkdir "$tmp/empty"
expect "a folder without records is rejected" 1 'empty: error: the folder holds no \*\.jsonl$' "$BUILD/rulesmith" synth --traces "$tmp/empty"
expect "a missing file is rejected" 1 '^tests/bad/nowhere.jsonl: error: cannot open' \
	"$BUILD/rulesmith" synth --traces tests/bad/nowhere.jsonl
expect "a bad line does not hide the next file" 1 'wrong_arity.jsonl:1: error' \
	"$BUILD/rulesmith" synth --traces tests/bad/truncated_line.jsonl --traces tests/bad/wrong_arity.jsonl
check "a good file is accepted" "$BUILD/rulesmith" synth --traces tests/bad/good.jsonl -o "$tmp/rules.jsonl"
mkfifo "$tmp/pipe"
timeout 60 cat "$tmp/pipe" >"$tmp/through" &
check "a pipe is written to, not replaced" sh -c "'$BUILD/rulesmith' synth --traces tests/bad/good.jsonl -o '$tmp/pipe' && [ -p '$tmp/pipe' ]"
wait
check "… with the same bytes" cmp "$tmp/through" "$tmp/rules.jsonl"
expect "usage: no traces" 2 'traces is required: a file' "$BUILD/rulesmith" synth
expect "usage: a bad number of threads" 2 'threads' "$BUILD/rulesmith" synth -j none --traces x
expect "usage: unknown command" 2 "unknown command 'sinth'" "$BUILD/rulesmith" sinth
check "help is on standard output" sh -c "\"$BUILD/rulesmith\" synth --help | grep -q usage:"
