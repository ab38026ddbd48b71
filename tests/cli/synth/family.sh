# API rules of several operators: names do not matter; equal records give equal bytes on any number of threads,
# in any folder and locale, and after a kill at any moment. (determinism.sh covers single operators.)
. tests/cli/tap.sh
smith=$(realpath "$BUILD/rulesmith")

# Pools of two ranks with and without a stride, crops, and views: three API rules. The stride of pool-0 is 1 or
# rejected, so its API must supply the rule; pool-4 has no accepted call.
cp -r tests/data/records/family "$tmp/plain"
mkdir "$tmp/renamed"
# Other names in the same order: of APIs (zz.…, so that the framework's name changes too) and of arguments.
for f in "$tmp"/plain/*.jsonl; do
	sed 's/"m\./"zz.q_/g; s/"name": "input"/"name": "a0"/g; s/"name": "kernel_size"/"name": "a1"/g
		s/"name": "padding"/"name": "a2"/g; s/"name": "shape"/"name": "a3"/g; s/"name": "size"/"name": "a4"/g
		s/"name": "stride"/"name": "a5"/g; s/"name": "x"/"name": "a6"/g' "$f" >"$tmp/renamed/${f##*/}"
done

run() { "$smith" synth --traces "$tmp/plain" "$@" 2>"$tmp/messages"; }
rules() { # rules FILE PREFIX: a line an operator, without the API's prefix: its outputs and clauses, or why it has none
	sed -n "s/^{\"op\":\"$2\([^\"]*\)\".*\"nsym\":[0-9]*,\(\"out\":.*\"valid\":\[[^]]*\]\|\"why\":\"[^\"]*\"\).*/\1 \2/p" "$1" | LC_ALL=C sort
}

run -j1 -o "$tmp/one.jsonl"
rules "$tmp/one.jsonl" m. >"$tmp/one"
check "every operator is reported" test "$(wc -l <"$tmp/one")" -eq 11
check "all have a rule except the one without accepted calls" test "$(grep -v '"out"' "$tmp/one")" = 'pool-4 "why":"no passing record"'
of_pools='^pool-0 "out":\["s0","\(s1 \+ 2\*s4 - s2\)//s3 \+ 1"\]
^pool-2 "out":\["s0","\(s1 \+ 2\*s5 - s3\)//s4 \+ 1","\(s2 \+ 2\*s5 - s3\)//s4 \+ 1"\]'
check "an API's other operators decide what one leaves open" test "$(grep -cE "$of_pools" "$tmp/one")" -eq 2

"$smith" synth --traces "$tmp/renamed" -o "$tmp/renamed.jsonl" 2>/dev/null
rules "$tmp/renamed.jsonl" zz.q_ >"$tmp/other"
check "names do not matter: the same rules" cmp "$tmp/one" "$tmp/other"
check "… with really different names" sh -c "! grep -qE 'kernel_size|\"m\\.' '$tmp/renamed.jsonl'"

# Names in the reverse order: of APIs and of arguments. (The operators of an API keep theirs, given by their
# numbers.)
mkdir "$tmp/reversed"
for f in "$tmp"/plain/*.jsonl; do
	sed 's/"name": "input"/"name": "b7"/g; s/"name": "kernel_size"/"name": "b6"/g; s/"name": "padding"/"name": "b5"/g
		s/"name": "shape"/"name": "b4"/g; s/"name": "size"/"name": "b3"/g; s/"name": "stride"/"name": "b2"/g
		s/"name": "x"/"name": "b1"/g; s/"m\.crop/"a.c/g; s/"m\.pool/"a.b/g; s/"m\.view/"a.a/g' "$f" >"$tmp/reversed/${f##*/}"
done
"$smith" synth --traces "$tmp/reversed" -o "$tmp/reversed.jsonl" 2>/dev/null
rules "$tmp/reversed.jsonl" a. | sed 's/^a-/view-/; s/^b-/pool-/; s/^c-/crop-/' | LC_ALL=C sort >"$tmp/other"
check "the reverse order of names: the same rules" cmp "$tmp/one" "$tmp/other"
apis() { sed -n 's/^{"op":"[a-z]*\.\([a-z]*\)-.*/\1/p' "$1" | uniq | tr '\n' ' '; }
check "… really reversed" test "$(apis "$tmp/one.jsonl")$(apis "$tmp/reversed.jsonl")" = "crop pool view a b c "

run -j2 -o "$tmp/two.jsonl"
check "-j1 and -j2" cmp "$tmp/one.jsonl" "$tmp/two.jsonl"
LC_ALL=tr_TR.UTF-8 LANG=tr_TR.UTF-8 run -j2 -o "$tmp/locale.jsonl"
check "another locale" cmp "$tmp/one.jsonl" "$tmp/locale.jsonl"
mkdir "$tmp/else where" && cp "$tmp"/plain/*.jsonl "$tmp/else where"
(cd "$tmp/else where" && LC_ALL=C "$smith" synth --traces . -o ../folder.jsonl 2>/dev/null)
check "another folder" cmp "$tmp/one.jsonl" "$tmp/folder.jsonl"
tac "$tmp/plain/m.pool.jsonl" >"$tmp/else where/m.pool.jsonl"
"$smith" synth --traces "$tmp/else where/m.view.jsonl" --traces "$tmp/else where/m.pool.jsonl" \
	--traces "$tmp/else where/m.crop.jsonl" -o "$tmp/order.jsonl" 2>/dev/null
check "files and lines in another order" cmp "$tmp/one.jsonl" "$tmp/order.jsonl"

# Killed once the first API has completed all passes (shapes of all 11, then rules under two keys, then API
# rules); then at any moment.
solved() { cat "$tmp/cache/solved.jsonl" 2>/dev/null | wc -l; }
"$smith" synth --traces "$tmp/plain" --cache "$tmp/cache" -j1 -o "$tmp/killed.jsonl" 2>/dev/null &
pid=$! tries=0
until [ "$(solved)" -gt 33 ] || [ $tries -ge 1000 ]; do sleep 0.01 && tries=$((tries + 1)); done
kill -KILL $pid 2>/dev/null
wait $pid 2>/dev/null
check "the cache grows while it runs" test "$(solved)" -gt 33
cp -r "$tmp/cache" "$tmp/partly"
run -j2 --cache "$tmp/partly" -o "$tmp/resumed.jsonl"
check "killed and restarted" cmp "$tmp/one.jsonl" "$tmp/resumed.jsonl"
check "… with the solved operators kept" grep -qE ' [1-9][0-9]* from the cache' "$tmp/messages"
rm -r "$tmp/cache"
for after in 0.02 0.05 0.1 0.15 0.2; do
	timeout -s KILL $after "$smith" synth --traces "$tmp/plain" --cache "$tmp/cache" -j2 -o "$tmp/killed.jsonl" 2>/dev/null
done
run -j1 --cache "$tmp/cache" -o "$tmp/killed.jsonl"
check "killed repeatedly" cmp "$tmp/one.jsonl" "$tmp/killed.jsonl"
run -j2 --cache "$tmp/cache" -o "$tmp/killed.jsonl"
check "all from the cache" grep -q ' 11 from the cache' "$tmp/messages"
check "… the same bytes" cmp "$tmp/one.jsonl" "$tmp/killed.jsonl"
