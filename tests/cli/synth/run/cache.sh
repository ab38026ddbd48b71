# The cache of a synthesis: nothing that depends only on unchanged input is solved again, and the bytes equal
# those of a run without the cache.
. tests/cli/tap.sh
smith=$(realpath "$BUILD/rulesmith")
synth() { "$smith" synth --traces "$tmp/t" -o "$tmp/$1.jsonl" -j1 $2 2>"$tmp/said"; }
as_alone() { synth kept "--cache $tmp/cache" && cp "$tmp/said" "$tmp/kept" && synth alone && cmp "$tmp/kept.jsonl" "$tmp/alone.jsonl"; }
from_cache() { grep -q " $1 from the cache" "$tmp/kept"; }

# Another API makes a formula of several a shape function: if it improves nothing, the outputs stay and the rest
# is cached.
for api in pooling unfold; do
	rm -rf "$tmp/cache" "$tmp/t" && cp -r tests/data/records/shared "$tmp/t" && rm "$tmp/t/m.$api.jsonl"
	check "without m.$api" as_alone
	check "… all is solved" from_cache 0
	check "once more" as_alone
	check "… nothing is" from_cache 4
	cp "tests/data/records/shared/m.$api.jsonl" "$tmp/t"
	check "with m.$api" as_alone
	check "… the cache has all but it and the operators that its function improves" from_cache 3
done

# A rule of the same text that is found in another way: another API's function gives an output without a proof.
rm -rf "$tmp/cache" "$tmp/t"; mkdir "$tmp/t"
for api in conv_tbc nn.functional.conv_tbc conv1d; do cp "traces/torch/torch.$api.jsonl" "$tmp/t"; done
check "with conv1d" as_alone
rm "$tmp/t/torch.conv1d.jsonl"
check "without conv1d" as_alone
rm -rf "$tmp/cache" "$tmp/t" && cp -r tests/data/records/shared "$tmp/t"
check "the records before" as_alone

# Changed records: a call that passed fails.
before() { grep -c '"api":"m.take"' "$tmp/kept.jsonl" && grep '"api":"m.take"' "$tmp/kept.jsonl" >"$tmp/before"; }
check "m.take has a rule" before
sed -i 's/,\[\[8,7\],\[7\]\]//; s/"fail":\[/"fail":[[8,7],/' "$tmp/t/m.take.jsonl"
check "with a changed record of m.take" as_alone
check "… its rules change" sh -c "! grep '\"api\":\"m.take\"' '$tmp/kept.jsonl' | cmp -s - '$tmp/before'"
echo "1..$n"
