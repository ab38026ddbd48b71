# rulesmith refine: learns the true rules from an oracle that knows them, even if the oracle crashes.
. tests/cli/tap.sh
smith=$(realpath "$BUILD/rulesmith") fake="sh tests/data/oracle/fake.sh"
start() { rm -rf "$tmp/$1" && cp -r tests/data/oracle/records "$tmp/$1"; }
refine() { # refine FOLDER ORACLE [OPTION…]
	folder=$tmp/$1 oracle=$2
	shift 2
	"$smith" refine --oracle "$oracle" --traces "$folder" "$@"
}
rules() { "$smith" synth --traces "$tmp/$1" 2>/dev/null | sed -n 's/^{"op":"\([^"]*\)".*\("out":.*"valid":\[[^]]*\]\).*/\1 \2/p'; }
cat >"$tmp/true" <<'END'
t.narrow-0 "out":["s2"],"valid":["s1 >= 0","s1 + s2 <= s0"]
t.pool-0 "out":["(s0 + 2*s3 - s1)//s2 + 1"],"valid":["s1 > 0","s2 > 0","s3 >= 0","2*s3 <= s1","(s0 + 2*s3 - s1)//s2 + 1 > 0"]
END

start one
rules one >"$tmp/first"
check "few records: both rules are wrong" test "$(grep -cxFf "$tmp/true" "$tmp/first")" -eq 0
expect "refine queries" 0 '^refine: 2 APIs, 2 signatures: [0-9]+ questions .* [1-9][0-9]* answers contradict the rules; .* 0 open' \
	refine one "$fake $tmp/one" -j1 --report "$tmp/report"
rules one >"$tmp/then"
check "… and then both are right" cmp "$tmp/true" "$tmp/then"
check "the report covers each operator" sh -c "grep -c '^{\"op\":\"t\\.[a-z]*-0\",\"questions\":[1-9].*\"open\":0,\"rivals\":\\[\\]}$' '$tmp/report' | grep -qx 2"

# Not every answer becomes a record: only mispredicted ones, and some that refute a rival rule.
asked=$(sed -n 's/.*narrow.*"questions":\([0-9]*\).*/\1/p' "$tmp/report") kept=$(sed -n 's/.*narrow.*"kept":\([0-9]*\).*/\1/p' "$tmp/report")
check "few answers are kept" test "$kept" -le $((asked / 2)) -a "$kept" -gt 0

cp -r "$tmp/one" "$tmp/again"
for seed in 2 3 4; do
	refine again "$fake $tmp/again" --seed $seed 2>"$tmp/messages"
	grep -q ' 0 answers contradict the rules' "$tmp/messages" || echo "$seed" >>"$tmp/unstable"
done
check "other queries find nothing wrong" test ! -e "$tmp/unstable"
rules again >"$tmp/then"
check "and the rules stay" cmp "$tmp/true" "$tmp/then"

start two && refine two "$fake $tmp/two" -j2 2>/dev/null
check "the same records with two threads" sh -c "diff -r '$tmp/one' '$tmp/two' >&2"

# Two shards, each with its own copy: together they write the files of a single run.
for k in 0 1; do start shard$k && refine shard$k "$fake $tmp/shard$k" -j1 --shard $k/2 2>"$tmp/messages-$k"; done
start merged
for k in 0 1; do
	for f in "$tmp/shard$k"/*; do cmp -s "$f" "tests/data/oracle/records/${f##*/}" || cp "$f" "$tmp/merged"; done
	check "shard $k has one of the two APIs" grep -q '^refine: 1 APIs, 1 signatures' "$tmp/messages-$k"
done
check "the shards' files are those of one run" sh -c "diff -r '$tmp/one' '$tmp/merged' >&2"
expect "an invalid share" 2 "shard: expected I/N with 0 <= I < N, got 2/2" refine shard0 "$fake $tmp/shard0" --shard 2/2
start three && LC_ALL=tr_TR.UTF-8 refine three "$fake $tmp/three" -j1 2>/dev/null
check "and once more, in another locale" sh -c "diff -r '$tmp/one' '$tmp/three' >&2"
start other && refine other "$fake $tmp/other" --seed 7 2>/dev/null
check "another seed queries other calls" sh -c "! diff -r '$tmp/one' '$tmp/other' >/dev/null"
rules other >"$tmp/then"
check "… and learns the same" cmp "$tmp/true" "$tmp/then"

start part && refine part "$fake $tmp/part" --op 't.pool*' --budget 5 --rounds 1 --report "$tmp/report" 2>/dev/null
check "--op leaves the others unchanged" cmp "tests/data/oracle/records/t.narrow.jsonl" "$tmp/part/t.narrow.jsonl"
check "--budget limits the queries" grep -q '"questions":5,' "$tmp/report"

start own && mkdir "$tmp/beside" && mv "$tmp/own/t.pool.jsonl" "$tmp/beside"
expect "other operators take part in the rules" 0 '^refine: 1 APIs, 1 signatures' \
	refine own "$fake $tmp/own t.pool" --beside "$tmp/beside" -j1
check "… and are not queried" cmp tests/data/oracle/records/t.pool.jsonl "$tmp/beside/t.pool.jsonl"
check "… the selected ones are" cmp "$tmp/one/t.narrow.jsonl" "$tmp/own/t.narrow.jsonl"

# The oracle crashes repeatedly: a query may be lost, but no record is.
start dying
expect "a crashed oracle is restarted" 0 ' \([1-9][0-9]* undecided\)' refine dying "$fake $tmp/dying 30" -j1 --report "$tmp/report"
records() { "$smith" synth --traces "$1" 2>/dev/null | sed -n 's/.*"passed":\([0-9]*\),"failed":\([0-9]*\).*/\1 \2/p' | awk '{ n += $1 + $2 } END { print n }'; }
check "kept answers are in the files" test "$(sed -n 's/.*"kept":\([0-9]*\).*/\1/p' "$tmp/report" | awk '{ n += $1 } END { print n }')" -eq \
	$(($(records "$tmp/dying") - $(records tests/data/oracle/records)))
start gone
expect "an oracle that disappears ends the run" 5 'the oracle cannot start \(exit code 5\)' refine gone "$fake $tmp/gone t.pool" -j1
check "… and learned records stay" cmp "$tmp/one/t.narrow.jsonl" "$tmp/gone/t.narrow.jsonl"
refine gone "$fake $tmp/gone" -j1 2>/dev/null
rules gone >"$tmp/then"
check "the next run learns the rest" cmp "$tmp/true" "$tmp/then"
start dead
expect "an oracle that always crashes ends the run" 5 'the oracle ended 3 times without an answer' refine dead "$fake $tmp/dead 1" -j1
check "… and nothing changes" diff -r tests/data/oracle/records "$tmp/dead"
expect "no oracle" 5 'cannot start \(exit code 127\)' refine dead "./no-such-oracle"
expect "a framework that is not installed" 5 'nothing is not installed .*make backends FRAMEWORK=nothing' refine dead nothing
expect "an oracle with malformed answers" 5 'without an answer' refine dead "yes nonsense"
expect "an oracle that knows no operator" 0 "the oracle rejected [0-9]+ questions: no such" refine dead "while read -r l; do echo '{\"error\":\"no such\"}'; done" -j1
check "… and still nothing changes" diff -r tests/data/oracle/records "$tmp/dead"
expect "bad records" 1 'bad/not_json.jsonl:1: error' "$smith" refine --oracle "cat -" --traces tests/bad
expect "no operator" 1 "no operator matches 'x'" refine dead "cat -" --op x
expect "no oracle named" 2 'required' "$smith" refine --traces "$tmp/dead"
expect "bad rounds" 2 'rounds: expected 1 to 100, got 0' refine dead "cat -" --rounds 0
expect "bad budget" 2 'budget: expected 1 to 1000000, got many' refine dead "cat -" --budget many
