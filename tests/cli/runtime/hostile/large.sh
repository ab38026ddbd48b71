#!/bin/sh
# Files and pipes above all limits: a clear error, exit code 1, no output, and at most 1 GiB of memory, enforced by a
# limit of the address space.
. tests/cli/tap.sh
fuzz=$BUILD/rulefuzz smith=$BUILD/rulesmith
if sanitized; then ok "large input # SKIP a sanitizer has no bounds" && echo 1..1 && exit; fi
small() { # small COMMAND…: with 1 GiB of address space
	(ulimit -v 1048576 && exec "$@")
}
refuse() { # refuse WHAT PATTERN COMMAND…
	what=$1 pattern=$2
	shift 2
	expect "$what" 1 "$pattern" small "$@"
	check "… and nothing is on standard output" [ ! -s "$tmp/out" ]
}
repeat() { # repeat TEXT BYTES
	yes "$1" | tr -d '\n' | head -c "$2"
}

# ---- a line of 1 GB: of zero bytes (a hole in the file), and of letters
truncate -s 1G "$tmp/hole.jsonl"
(printf '{"op":"' && repeat xxxxxxxxxxxxxxxx 1000000000) >"$tmp/letters.jsonl"
for name in hole letters; do
	file=$tmp/$name.jsonl
	refuse "$name: eval" "$file:1: error: the line is longer than 16 MiB" "$fuzz" eval "$file"
	refuse "$name: coverage" "$file:1: error: the line is longer than 16 MiB" "$fuzz" coverage "$file"
	refuse "$name: verify" "$file:1: error: the line is longer than 16 MiB" "$fuzz" verify --framework torch --oracle true --questions "$file"
	refuse "$name: capabilities" "$file: error: the file is larger than 256 MiB" "$fuzz" gen --framework torch --capabilities "$file"
	refuse "$name: names of operators" "$file: error: the file is larger than 256 MiB" "$fuzz" gen --framework torch --ops "$file"
	refuse "$name: a database" "$file: error: " "$fuzz" list --db "$file"
	refuse "$name: a library of rules" 'error: cannot load the rules: ' "$fuzz" rules --rules "$file"
	if [ -x "$smith" ]; then
		refuse "$name: records" "$file:1: error: the line is longer than 16 MiB" "$smith" synth --traces "$file" -o "$tmp/rules.jsonl"
		refuse "$name: rules" "$file:1: error: the line is longer than 16 MiB" "$smith" emit "$file" -o "$tmp/made"
		refuse "$name: classes" "$file: error: the file is larger than 256 MiB" "$smith" emit tests/fuzz/seeds/fuzz_rules/page.jsonl \
			--values "$file" -o "$tmp/made"
		refuse "$name: runs" "$file: error: the file is larger than 256 MiB" "$smith" emit tests/fuzz/seeds/fuzz_rules/page.jsonl \
			--runs "$file" -o "$tmp/made"
	fi
done
check "nothing was written" [ ! -e "$tmp/rules.jsonl" -a ! -e "$tmp/made" ]
rm "$tmp/hole.jsonl" "$tmp/letters.jsonl"
refuse "a pipe without an end: eval" '<stdin>:1: error: the line is longer than 16 MiB' sh -c "yes | tr -d '\n' | '$fuzz' eval -"
refuse "a pipe without an end: coverage" '<stdin>:1: error: the line is longer than 16 MiB' sh -c "yes | tr -d '\n' | '$fuzz' coverage -"

# ---- lines of the maximum length that need the most memory
(printf '{"op":"torch.add-0","in":[0' && repeat ,0 16777000 && echo ']}') >"$tmp/many"
(printf '{"op":"torch.add-0","in":' && repeat '[' 1000000 && echo) >"$tmp/deep"
(printf '{"op":"torch.add-0","in":' && repeat '{"a":' 1000000 && echo) >"$tmp/deeper"
for name in many deep deeper; do
	refuse "$name: coverage" "$tmp/$name:1: error: " "$fuzz" coverage "$tmp/$name"
	refuse "$name: verify" "$tmp/$name:1: error: " "$fuzz" verify --framework torch --oracle true --questions "$tmp/$name"
	small "$fuzz" eval "$tmp/$name" >"$tmp/said" 2>&1
	check "$name: eval" grep -qE "$name:1: error: not JSON|\"error\":" "$tmp/said"
	if [ -x "$smith" ]; then
		refuse "$name: records" "$tmp/$name:1: error: " "$smith" synth --traces "$tmp/$name" -o "$tmp/rules.jsonl"
		refuse "$name: rules" "$tmp/$name:1: error: " "$smith" emit "$tmp/$name" -o "$tmp/made"
	fi
done
check "nothing was written" [ ! -e "$tmp/rules.jsonl" -a ! -e "$tmp/made" ]
echo "1..$n"
