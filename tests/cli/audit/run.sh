# The audit of two APIs, from records to certificate: it replays the records and rejects planted faults.
. tests/cli/tap.sh
if sanitized; then
	skip "the audit" "libclang is not made for ASan"
	echo "1..$n"
	exit
fi
mkdir "$tmp/records"
cp traces/torch/torch.mm.jsonl traces/torch/torch.bmm.jsonl "$tmp/records"
"$BUILD/rulesmith" synth --traces "$tmp/records" -o "$tmp/rules.jsonl" 2>/dev/null
"$BUILD/rulesmith" emit "$tmp/rules.jsonl" -o "$tmp/generated" 2>/dev/null
soname=$(objdump -p "$BUILD/librulesmith.so" | sed -n "s/^ *SONAME *//p")
ln -s "$(realpath "$BUILD")/librulesmith.so" "$tmp/$soname"
compile() { # compile DIR LIBRARY
	# shellcheck disable=SC2046
	cc -std=gnu11 -w -shared -fPIC -iquote runtime/include $(find "$1" -name '*.c') -Wl,--no-as-needed "$BUILD/librulesmith.so" \
		-Wl,-rpath,"$tmp" -o "$2"
}
audit() { "$BUILD/audit-c" --rules "$tmp/rules.jsonl" --generated "$tmp/generated" "$@"; }
run() { audit --library "$tmp/rules.so" --traces "$tmp/records" "$@"; }
compile "$tmp/generated" "$tmp/rules.so"
check "both rules are proved" run --certificate "$tmp/certificate"
check "records are replayed, and counted for each rule" grep -qE '^torch.mm-0 .* proved .*sampler:proved records:[0-9a-f]{16}:[1-9][0-9]*/[1-9][0-9]*/0/0/0 dead-ends:0/64' "$tmp/certificate"
check "the certificate holds" run --check "$tmp/certificate"
sed '2s/ proved / unknown /' "$tmp/certificate" >"$tmp/changed"
expect "a certificate with another verdict is rejected" 1 'changed:2: error: differs from the certificate of this run' run --check "$tmp/changed"
head -1 "$tmp/certificate" >"$tmp/changed"
expect "… with a missing line" 1 'changed:2: error: differs from the certificate of this run' run --check "$tmp/changed"
expect "… that does not exist" 1 'nowhere: error: |nowhere:1: error: ' run --check "$tmp/nowhere"

# Compiled code that differs from the sources read.
cp -r "$tmp/generated" "$tmp/other"
sed -i 's/ == / >= /' "$tmp/other/torch/mm.c"
compile "$tmp/other" "$tmp/other.so"
expect "a library that accepts more" 1 'torch.mm.jsonl:1: .* was rejected, and the compiled rule accepts it' \
	audit --library "$tmp/other.so" --traces "$tmp/records"

# A changed record.
mkdir "$tmp/changed-records"
cp "$tmp/records/torch.bmm.jsonl" "$tmp/changed-records"
sed 's/"pass":\[\[\[[0-9]*,/"pass":[[[-1,/' "$tmp/records/torch.mm.jsonl" >"$tmp/changed-records/torch.mm.jsonl"
expect "a record that contradicts the rule" 1 'torch.mm-0: error: WRONG: .*/torch.mm.jsonl:1: \[-1,.* was accepted, and the compiled rule rejects it' \
	audit --library "$tmp/rules.so" --traces "$tmp/changed-records"
rm "$tmp/changed-records/torch.mm.jsonl"
expect "a rule without records" 1 'torch.mm-0: error: WRONG: no record of it was replayed' \
	audit --library "$tmp/rules.so" --traces "$tmp/changed-records"
echo '{' >"$tmp/changed-records/torch.mm.jsonl"
expect "a malformed line" 1 'torch.mm.jsonl:1: error: malformed record' audit --library "$tmp/rules.so" --traces "$tmp/changed-records"
expect "no library" 1 'mm.jsonl: error: no library of rules' audit --library "$tmp/records/torch.mm.jsonl" --traces "$tmp/records"

# C code that differs from its rule; its sampler's calls are then not proved.
cp "$tmp/other/torch/mm.c" "$tmp/generated/torch"
audit --certificate "$tmp/changed" >/dev/null 2>&1
check "the calls of its sampler are not proved" grep -qE '^torch.mm-0 .* WRONG .*sampler:WRONG' "$tmp/changed"
expect "a difference is shown by running" 1 'torch.mm-0: at \[.*\]: the rule says valid (true|false).*; the compiled functions say valid (true|false)' \
	audit --library "$tmp/other.so" --traces "$tmp/records"
echo "1..$n"
