#!/bin/sh
# Files and pipes above all limits: a clear error, exit code 1, no output, and at most 1 GiB of memory, enforced by a
# limit of the address space.
. tests/cli/tap.sh
fuzz=$BUILD/rulefuzz smith=$BUILD/rulesmith
if sanitized; then ok "large input # SKIP a sanitizer has no bounds" && echo 1..1 && exit; fi
small() { # small COMMAND…: with 1 GiB of address space
	(ulimit -v 1048576 && exec "$@")
}
rejects() { # rejects WHAT PATTERN COMMAND…
	what=$1 pattern=$2
	shift 2
	expect "$what" 1 "$pattern" small "$@"
	check "… and no output" [ ! -s "$tmp/out" ]
}
repeat() { # repeat TEXT BYTES
	yes "$1" | tr -d '\n' | head -c "$2"
}

# ---- a line of 1 GB: of zero bytes (a hole in the file), and of letters
truncate -s 1G "$tmp/hole.jsonl"
(printf '{"op":"' && repeat xxxxxxxxxxxxxxxx 1000000000) >"$tmp/letters.jsonl"
for name in hole letters; do
	file=$tmp/$name.jsonl
	rejects "$name: eval" "$file:1: error: the line is longer than 16 MiB" "$fuzz" eval "$file"
	rejects "$name: coverage" "$file:1: error: the line is longer than 16 MiB" "$fuzz" coverage "$file"
	rejects "$name: verify" "$file:1: error: the line is longer than 16 MiB" "$fuzz" verify --framework torch --oracle true --questions "$file"
	rejects "$name: capabilities" "$file: error: the file is larger than 256 MiB" "$fuzz" gen --framework torch --capabilities "$file"
	rejects "$name: list of operators" "$file: error: the file is larger than 256 MiB" "$fuzz" gen --framework torch --ops "$file"
	rejects "$name: a database" "$file: error: " "$fuzz" list --db "$file"
	rejects "$name: a library of rules" 'error: cannot load the rules: ' "$fuzz" rules --rules "$file"
	if [ -x "$smith" ]; then
		rejects "$name: records" "$file:1: error: the line is longer than 16 MiB" "$smith" synth --traces "$file" -o "$tmp/rules.jsonl"
		rejects "$name: rules" "$file:1: error: the line is longer than 16 MiB" "$smith" emit "$file" -o "$tmp/made"
		rejects "$name: classes" "$file: error: the file is larger than 256 MiB" "$smith" emit tests/fuzz/seeds/fuzz_rules/page.jsonl \
			--values "$file" -o "$tmp/made"
		rejects "$name: runs" "$file: error: the file is larger than 256 MiB" "$smith" emit tests/fuzz/seeds/fuzz_rules/page.jsonl \
			--runs "$file" -o "$tmp/made"
	fi
done
check "nothing is written" [ ! -e "$tmp/rules.jsonl" -a ! -e "$tmp/made" ]
rm "$tmp/hole.jsonl" "$tmp/letters.jsonl"
rejects "endless pipe: eval" '<stdin>:1: error: the line is longer than 16 MiB' sh -c "yes | tr -d '\n' | '$fuzz' eval -"
rejects "endless pipe: coverage" '<stdin>:1: error: the line is longer than 16 MiB' sh -c "yes | tr -d '\n' | '$fuzz' coverage -"

# ---- lines of the maximum length that need the most memory
(printf '{"op":"torch.add-0","in":[0' && repeat ,0 16777000 && echo ']}') >"$tmp/many"
(printf '{"op":"torch.add-0","in":' && repeat '[' 1000000 && echo) >"$tmp/deep"
(printf '{"op":"torch.add-0","in":' && repeat '{"a":' 1000000 && echo) >"$tmp/deeper"
for name in many deep deeper; do
	rejects "$name: coverage" "$tmp/$name:1: error: " "$fuzz" coverage "$tmp/$name"
	rejects "$name: verify" "$tmp/$name:1: error: " "$fuzz" verify --framework torch --oracle true --questions "$tmp/$name"
	small "$fuzz" eval "$tmp/$name" >"$tmp/said" 2>&1
	check "$name: eval" grep -qE "$name:1: error: not JSON|\"error\":" "$tmp/said"
	if [ -x "$smith" ]; then
		rejects "$name: records" "$tmp/$name:1: error: " "$smith" synth --traces "$tmp/$name" -o "$tmp/rules.jsonl"
		rejects "$name: rules" "$tmp/$name:1: error: " "$smith" emit "$tmp/$name" -o "$tmp/made"
	fi
done
check "nothing is written" [ ! -e "$tmp/rules.jsonl" -a ! -e "$tmp/made" ]
echo "1..$n"
