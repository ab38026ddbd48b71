# Names, constants and types from records that try to break out into C: invalid names are rejected, and accepted
# ones become C string literals, whatever they contain.
. tests/cli/tap.sh
smith=$BUILD/rulesmith
cat >"$tmp/make.py" <<'END'
"""Records with one text in each of their places.   usage: make.py FOLDER"""
import json
import sys
from pathlib import Path

TEXTS = [  # what ends comments, strings and lines, or is more than a name
         '*/ int evil; /*', '"; int evil; //', "'", '\\', '\\"', '??/', '??/"', '%s%n', '\n#include "/etc/passwd"\n', '\r#error', '\t', 'a\x7f',
         '\x1b[31m', '$(touch x)', '`touch x`', '</script><script>', '"""', '\\x41', '\\u0022', 'R"(', '/*', '//\\', '\u202e', '\u00e9', '#define X',
         '../../x', '/etc/passwd', '-rf', 'x' * 100]
PLACES = ("op", "api", "argument", "constant", "constant string", "dtype", "out dtype", "version")
for i, text in enumerate(TEXTS):
    for place in PLACES:
        api = text if place == "api" else f"f.add{i}{place.replace(' ', '')}"
        x = {"name": text if place == "argument" else "x", "pos": False, "value": {"tensor": ["s0"], "dtype": text if place == "dtype" else "float32"}}
        c = {"name": "c", "pos": False, "value": {"const": repr(text) if place == "constant string" else text if place == "constant" else "1"}}
        record = {"op": text if place == "op" else api + "-0", "api": api, "args": [x, c],
                  "outputs": [{"tensor": ["o0"], "dtype": text if place == "out dtype" else "float32"}],
                  "pass": [[[n], [n]] for n in (3, 4, 7, 9)], "fail": []}
        if place == "version":
            record |= {"version": text}
        Path(sys.argv[1], f"{place.replace(' ', '_')}-{i}.jsonl").write_text(json.dumps(record) + "\n")
END
mkdir "$tmp/records" && python3 "$tmp/make.py" "$tmp/records"
taken=0 rejected=0 wrong=0
for file in "$tmp/records"/*.jsonl; do
	rm -f "$tmp/rules.jsonl"
	"$smith" synth --traces "$file" -o "$tmp/rules.jsonl" >"$tmp/out" 2>"$tmp/err"
	code=$?
	if [ $code -eq 1 ] && grep -q "^$file:1: error: " "$tmp/err" && [ ! -e "$tmp/rules.jsonl" ]; then
		rejected=$((rejected + 1))
	elif [ $code -eq 0 ]; then
		taken=$((taken + 1))
		cat "$file" >>"$tmp/all.jsonl"
	else
		wrong=$((wrong + 1)) && echo "# $file: exit $code"
	fi
	LC_ALL=C grep -q "$(printf '\033')" "$tmp/err" && wrong=$((wrong + 1)) && echo "# $file: an escape is printed"
done
echo "# $taken accepted, $rejected rejected"
check "each name is accepted, or rejected with one line" [ $wrong -eq 0 -a $taken -gt 10 -a $rejected -gt 50 ]
check "accepted names have rules" "$smith" synth --traces "$tmp/all.jsonl" -o "$tmp/rules.jsonl"
check "… that compile as C" "$smith" emit -q "$tmp/rules.jsonl" -o "$tmp/made"
for standard in gnu11 c11; do # c11 has trigraphs
	check "… as $standard" ${CC:-cc} -std=$standard -w -iquote runtime/include -fsyntax-only "$tmp"/made/*.c "$tmp"/made/*/*.c
done
check "… with no text outside of strings and comments" sh -c "! grep -rE '^[^*\"]*(int evil|#include \"/etc)' '$tmp/made' >&2"
# Comments are removed as a compiler does: a text that ends one would be left.
for file in "$tmp"/made/*.c "$tmp"/made/*/*.c; do ${CC:-cc} -fpreprocessed -E -P "$file"; done >"$tmp/bare" 2>&1
check "… nor behind a comment that a text ends" sh -c "grep -q 'SHAPE(' '$tmp/bare' && ! grep -E '^[^\"]*int evil' '$tmp/bare' >&2"
check "… in files named by the APIs" [ -z "$(find "$tmp/made" -name '*passwd*' -o -name '* *')" ]
check "no other file is written" [ ! -e x ]

bad() { # bad WHAT NUMBER: in a symbol's place
	printf '{"op":"f.add-0","api":"f.add","args":[{"name":"x","pos":true,"value":{"tensor":["s0"],"dtype":"float32"}}],"outputs":[{"tensor":["o0"],"dtype":"float32"}],"pass":[[[%s],[3]],[[4],[4]]],"fail":[]}\n' \
		"$1" >"$tmp/number.jsonl"
	rm -f "$tmp/rules.jsonl"
	expect "the number $1 is rejected" 1 "number.jsonl:1: error: " "$smith" synth --traces "$tmp/number.jsonl" -o "$tmp/rules.jsonl"
	[ ! -e "$tmp/rules.jsonl" ] || not_ok "$1: nothing is written"
}
for number in 1e400 -1e400 1.5 NaN Infinity 0x10 1e '"3"' null true '[]' '{}'; do bad "$number"; done
for number in 9223372036854775808 -9223372036854775809 18446744073709551616 99999999999999999999999999; do
	bad_record='{"op":"f.add-0","api":"f.add","args":[{"name":"x","pos":true,"value":{"tensor":["s0"],"dtype":"float32"}}],"outputs":[{"tensor":["o0"],"dtype":"float32"}],"pass":[[[%s],[3]],[[4],[4]]],"fail":[]}\n'
	printf "$bad_record" $number >"$tmp/number.jsonl"
	expect "a record with $number is excluded and reported" 0 '1 records with integers beyond int64' \
		"$smith" synth --traces "$tmp/number.jsonl" -o "$tmp/rules.jsonl"
done
printf '{"op":"f.add-0\0","api":"f.add"}\n' >"$tmp/nul.jsonl"
expect "a NUL byte is rejected" 1 'nul.jsonl:1: error: the line contains a NUL byte' "$smith" synth --traces "$tmp/nul.jsonl" -o "$tmp/rules.jsonl"
printf '{"op":"f.\377\376\300\200-0","api":"f.\377\376\300\200","args":[],"outputs":[],"pass":[],"fail":[]}\n' >"$tmp/utf.jsonl"
expect "invalid UTF-8 is rejected" 1 'utf.jsonl:1: error: ' "$smith" synth --traces "$tmp/utf.jsonl" -o "$tmp/rules.jsonl"
echo "1..$n"
