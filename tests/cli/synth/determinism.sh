# Equal records give equal bytes for any -j, order of files, locale and folder; a killed run resumes.
. tests/cli/tap.sh
smith=$(realpath "$BUILD/rulesmith")
data=tests/data/records
run() { "$smith" synth --traces "$data" "$@" 2>"$tmp/messages"; }
run -j1 -o "$tmp/one.jsonl"
run -j2 -o "$tmp/two.jsonl"
check "-j1 and -j2" cmp "$tmp/one.jsonl" "$tmp/two.jsonl"
LC_ALL=tr_TR.UTF-8 LANG=tr_TR.UTF-8 run -j2 -o "$tmp/locale.jsonl"
check "another locale" cmp "$tmp/one.jsonl" "$tmp/locale.jsonl"
cp -r "$data" "$tmp/elsewhere"
(cd "$tmp" && "$smith" synth --traces elsewhere -o folder.jsonl 2>/dev/null)
check "another folder" cmp "$tmp/one.jsonl" "$tmp/folder.jsonl"
timeout -s KILL 0.2 "$smith" synth --traces "$data" -o "$tmp/killed.jsonl" --cache "$tmp/cache" -j1 2>/dev/null
run -j2 -o "$tmp/killed.jsonl" --cache "$tmp/cache"
check "killed and restarted" cmp "$tmp/one.jsonl" "$tmp/killed.jsonl"
printf '{"version":"00' >>"$tmp/cache/solved.jsonl" # as a kill in the middle of a write leaves it
run -j2 -o "$tmp/torn.jsonl" --cache "$tmp/cache"
check "a torn cache entry" cmp "$tmp/one.jsonl" "$tmp/torn.jsonl"
check "all from the cache" grep -q " 10 from the cache" "$tmp/messages"
"$smith" emit "$tmp/one.jsonl" -o "$tmp/a" 2>/dev/null && "$smith" emit "$tmp/two.jsonl" -o "$tmp/b" 2>/dev/null
check "generated C" diff -r "$tmp/a" "$tmp/b"
sed 's/"name":"[a-z_]*"/"name":"q"/g; s/"api":"m\.[a-z_0-9]*/&zz/; s/"op":"m\.[a-z_0-9]*/&zz/' "$data"/*.jsonl >"$tmp/renamed.jsonl"
"$smith" synth --traces "$tmp/renamed.jsonl" -o "$tmp/renamed.out" 2>/dev/null
rules() { grep -o '"out":\[[^]]*\],"valid":\[[^]]*\]' "$1" | sort; }
rules "$tmp/one.jsonl" >"$tmp/r1" && rules "$tmp/renamed.out" >"$tmp/r2"
check "renaming every name gives the same rules" cmp "$tmp/r1" "$tmp/r2"
