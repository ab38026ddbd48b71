# build/audit-c on a few rules: what it proves, what it finds when C, rules, records or a certificate are changed, and what it
# says of the compiled rule then.
. tests/cli/tap.sh
if sanitized; then
	skip "the audit" "libclang is not made for ASan"
	echo "1..$n"
	exit
fi
audit=$(realpath "$BUILD/audit-c") smith=$(realpath "$BUILD/rulesmith") library=$(realpath "$BUILD/librulesmith.so")
mkdir "$tmp/traces"
cp traces/torch/torch.mm.jsonl traces/torch/torch.nn.functional.avg_pool2d.jsonl "$tmp/traces/" && chmod -R u+w "$tmp/traces"
"$smith" synth --traces "$tmp/traces" -o "$tmp/rules.jsonl" 2>/dev/null
proved() { "$audit" --rules "$tmp/rules.jsonl" --only torch.mm "$@"; } # what needs no library
run() { "$audit" --rules "$tmp/rules.jsonl" --only torch.mm --library "$library" "$@"; }
replay() { run --traces "$1"; }

check "a rule, its function and its samplers are proved, its records and samplers run" run --traces "$tmp/traces" --certificate "$tmp/certificate"
check "… which the certificate says" \
	grep -qE '^torch.mm-0 [0-9a-f]+ [0-9a-f]+ proved [a-z0-9]+ sampler:proved records:[0-9a-f]+:[1-9][0-9]*/[1-9][0-9]*/0/0 dead-ends:' "$tmp/certificate"
check "the certificate is confirmed" run --traces "$tmp/traces" --check "$tmp/certificate"
sed 's/ proved/ bounded/' "$tmp/certificate" >"$tmp/changed"
expect "a changed one is not" 1 'changed:1: error: not what is found' run --traces "$tmp/traces" --check "$tmp/changed"
expect "nor one that is nowhere" 1 'nowhere:1: error: cannot read it' run --traces "$tmp/traces" --check "$tmp/nowhere"

plant() { # plant SED: a folder of records with that fault
	rm -rf "$tmp/planted" && mkdir "$tmp/planted" && sed "$1" "$tmp/traces/torch.mm.jsonl" >"$tmp/planted/torch.mm.jsonl"
}
plant 's/"pass":\[\[\[\([0-9]*\),\([0-9]*\),\([0-9]*\),\([0-9]*\)\],\[[0-9]*,/"pass":[[[\1,\2,\3,\4],[77,/'
expect "another output" 1 'torch.mm-0: error: WRONG: .*/planted/torch.mm.jsonl:1: .* gave \[77,[0-9]*\], and the compiled rule gives \[' replay "$tmp/planted"
plant 's/"pass":\[\[\[\([0-9]*\),\([0-9]*\),/"pass":[[[\1,9\2,/'
expect "a call that cannot have passed" 1 'WRONG: .*/planted/torch.mm.jsonl:1: .* passed, and the compiled rule refuses it' replay "$tmp/planted"
plant 's/"fail":\[/"fail":[[71,72,72,73],/'
expect "a call that cannot have been refused" 1 'WRONG: .*: \[71,72,72,73\] was refused, and the compiled rule accepts it' replay "$tmp/planted"
plant 's/"pass":\[\[\[\([0-9]*\),/"pass":[[[\1,1,/'
expect "a row of too many symbols" 1 "planted/torch.mm.jsonl:1: \\[[0-9,]*\\] has not the operator's symbols" replay "$tmp/planted"
printf 'nonsense\n' >"$tmp/planted/x.jsonl"
expect "a line that is none" 1 'planted/x.jsonl:1: error: no line of records' replay "$tmp/planted"
expect "a folder that is nowhere" 1 'nowhere: error: ' replay "$tmp/nowhere"
expect "a rule without records" 1 'torch.mm-0: error: WRONG: no record of it was replayed' run
expect "a library that is none" 1 'rules.jsonl: error: ' "$audit" --rules "$tmp/rules.jsonl" --only torch.mm --library "$tmp/rules.jsonl" --traces "$tmp/traces"

cp "$tmp/rules.jsonl" "$tmp/right.jsonl"
sed 's/"valid":\["s1 == s2"\]/"valid":["s1 <= s2"]/' "$tmp/right.jsonl" >"$tmp/rules.jsonl"
check "a fault in the rule can be planted" sh -c "! cmp -s '$tmp/rules.jsonl' '$tmp/right.jsonl'"
expect "a rule that the C does not say" 1 'torch.mm-0: error: WRONG: the rule accepts and the C refuses at \[' replay "$tmp/traces"
expect "… both are run there" 1 'torch.mm-0: at \[.*\]: the rule says valid true, .*; the compiled functions say valid false' replay "$tmp/traces"
sed 's/"valid":\["s1 == s2"\]/"valid":["s1 == s2","s0 > 3"]/' "$tmp/right.jsonl" >"$tmp/rules.jsonl"
expect "one that says less" 1 'the rule says valid false, .*; the compiled functions say valid true' replay "$tmp/traces"
expect "… its sampler is none of its own" 1 'torch.mm-0: error: its sampler is not shown to give valid calls only' replay "$tmp/traces"
cp "$tmp/right.jsonl" "$tmp/rules.jsonl"

# Another sampler's condition, and none.
mkdir "$tmp/generated" && cp -r generated/code.h generated/torch "$tmp/generated/" && chmod -R u+w "$tmp/generated"
sampler=$(cc -E -P -iquote runtime/include -iquote generated generated/torch/table.c | tr '\n' ' ' |
	grep -o '"torch.mm" *"-0"[^{]*' | grep -o 'torch_sample_[0-9a-f]*' | head -1)
page=$(grep -l "SAMPLER($sampler," "$tmp"/generated/torch/sampler_*.c)
check "it has a sampler" test -s "$page"
cp "$page" "$tmp/page"
faulty() { sed "$1" "$tmp/page" >"$page" && proved --generated "$tmp/generated"; }
check "the copy is right" proved --generated "$tmp/generated"
expect "a sampler that ends with no condition" 1 'torch.mm-0: error: its sampler is not shown to give valid calls only' faulty "s/SAMPLER($sampler, [a-z0-9_]*,/SAMPLER_ALWAYS($sampler,/"
expect "a sampler that is nowhere" 1 'torch.mm-0: error: its sampler is not shown to give valid calls only' faulty "s/SAMPLER($sampler,/SAMPLER(other,/"
echo "1..$n"
