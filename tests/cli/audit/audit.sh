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
run() { "$audit" --rules "$tmp/rules.jsonl" --library "$library" --only torch.mm "$@"; } # run OPTION…
replay() { run --traces "$1"; }

check "a rule, its function and its samplers are proved" run --certificate "$tmp/certificate"
check "… which the certificate says" grep -q '^torch.mm-0 [0-9a-f]* [0-9a-f]* proved' "$tmp/certificate"
check "the certificate is confirmed" run --check "$tmp/certificate"
sed 's/ proved/ bounded/' "$tmp/certificate" >"$tmp/changed"
expect "a changed one is not" 1 'changed:1: error: not what is found' run --check "$tmp/changed"
expect "nor one that is nowhere" 1 'nowhere:1: error: cannot read it' run --check "$tmp/nowhere"

check "all records are answered as recorded" replay "$tmp/traces"
run --traces "$tmp/traces" --draws 50 >"$tmp/said"
check "… and what its samplers give, forwards and backwards, its text accepts" grep -q '^50 draws forwards and 50 backwards' "$tmp/said"
plant() { # plant SED: a folder of records with that fault
	rm -rf "$tmp/planted" && mkdir "$tmp/planted" && sed "$1" "$tmp/traces/torch.mm.jsonl" >"$tmp/planted/torch.mm.jsonl"
}
plant 's/"pass":\[\[\[\([0-9]*\),\([0-9]*\),\([0-9]*\),\([0-9]*\)\],\[[0-9]*,/"pass":[[[\1,\2,\3,\4],[77,/'
expect "another output" 1 'planted/torch.mm.jsonl:1: error: WRONG: torch.mm-0 gives another output than recorded \[' replay "$tmp/planted"
plant 's/"pass":\[\[\[\([0-9]*\),\([0-9]*\),/"pass":[[[\1,9\2,/'
expect "a call that cannot have passed" 1 'planted/torch.mm.jsonl:1: error: WRONG: torch.mm-0 refuses what passed \[' replay "$tmp/planted"
plant 's/"fail":\[/"fail":[[71,72,72,73],/'
expect "a call that cannot have been refused" 1 'WRONG: torch.mm-0 accepts what was refused \[71,72,72,73\]' replay "$tmp/planted"
plant 's/"pass":\[\[\[\([0-9]*\),/"pass":[[[\1,1,/'
expect "a row of too many symbols" 1 'planted/torch.mm.jsonl:1: error: column [0-9]*: torch.mm-0 has other rows than 4 symbols' replay "$tmp/planted"
printf 'nonsense\n' >"$tmp/planted/x.jsonl"
expect "a line that is none" 1 'planted/x.jsonl:1: error: does not begin with an operator' replay "$tmp/planted"
expect "a folder that is nowhere" 1 'nowhere: error: cannot be read' replay "$tmp/nowhere"
expect "records without a library" 2 'usage: audit' "$audit" --rules "$tmp/rules.jsonl" --traces "$tmp/traces"
expect "a library that is none" 1 'rules.jsonl: error: ' "$audit" --rules "$tmp/rules.jsonl" --only torch.mm --library "$tmp/rules.jsonl" --traces "$tmp/traces"

cp "$tmp/rules.jsonl" "$tmp/right.jsonl"
sed 's/"valid":\["s1 == s2"\]/"valid":["s1 <= s2"]/' "$tmp/right.jsonl" >"$tmp/rules.jsonl"
check "a fault in the rule can be planted" sh -c "! cmp -s '$tmp/rules.jsonl' '$tmp/right.jsonl'"
expect "a rule that the C does not say" 1 'torch.mm-0: error: WRONG: the rule accepts and the C refuses at \[' run
expect "… the compiled function is run there" 1 'torch.mm-0: compiled, run there: refused' run
sed 's/"valid":\["s1 == s2"\]/"valid":["s1 == s2","s0 > 3"]/' "$tmp/right.jsonl" >"$tmp/rules.jsonl"
expect "one that says less" 1 'torch.mm-0: compiled, run there: accepted, \[' run
expect "… is refuted by draws, too" 1 'WRONG: torch.mm-0 draws what its text refuses \[' replay "$tmp/traces"
cp "$tmp/right.jsonl" "$tmp/rules.jsonl"

# Another sampler's condition, and none.
mkdir "$tmp/generated" && cp -r generated/code.h generated/torch "$tmp/generated/" && chmod -R u+w "$tmp/generated"
sampler=$(cc -E -P -iquote runtime/include -iquote generated generated/torch/table.c | tr '\n' ' ' |
	grep -o '"torch.mm" *"-0"[^{]*' | grep -o 'torch_sample_[0-9a-f]*' | head -1)
page=$(grep -l "SAMPLER($sampler," "$tmp"/generated/torch/sampler_*.c)
check "it has a sampler" test -s "$page"
cp "$page" "$tmp/page"
faulty() { sed "$1" "$tmp/page" >"$page" && run --generated "$tmp/generated"; }
check "the copy is right" run --generated "$tmp/generated"
expect "a sampler that ends with no condition" 1 'torch.mm-0: error: WRONG: its sampler ends without' faulty "s/SAMPLER($sampler, [a-z0-9_]*,/SAMPLER_ALWAYS($sampler,/"
expect "a sampler that is nowhere" 1 'torch.mm-0: error: WRONG: its sampler is nowhere' faulty "s/SAMPLER($sampler,/SAMPLER(other,/"
echo "1..$n"
