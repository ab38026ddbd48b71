# Shards of a synthesis: each solves its share of the APIs, and a final run without shards turns their cached
# results into the bytes of a single run; the same for questions and refinement.
. tests/cli/tap.sh
smith=$(realpath "$BUILD/rulesmith")
cp -r tests/data/records/family "$tmp/t"
"$smith" synth --traces "$tmp/t" -o "$tmp/whole.jsonl" 2>/dev/null

shards() { # shards N: three rounds in varying order
	rm -rf "$tmp/cache"
	for round in 1 2 3; do
		k=0
		while [ $k -lt "$1" ]; do
			"$smith" synth --traces "$tmp/t" --cache "$tmp/cache" --shard "$(((k + round) % $1))/$1" 2>"$tmp/said" || return 1
			cp "$tmp/said" "$tmp/said-$round-$(((k + round) % $1))"
			k=$((k + 1))
		done
	done
	"$smith" synth --traces "$tmp/t" --cache "$tmp/cache" -o "$tmp/merged.jsonl" 2>"$tmp/said" && cmp "$tmp/whole.jsonl" "$tmp/merged.jsonl"
}
for n in 1 2 3 7; do check "$n shards give the bytes of one run" shards $n; done
again() { "$smith" synth --traces "$tmp/t" --cache "$tmp/cache" -o "$tmp/again.jsonl" 2>"$tmp/all" && cmp "$tmp/whole.jsonl" "$tmp/again.jsonl"; }
check "… which only solves operators with low support again" grep -qE ' ([6-9]|10|11) from the cache' "$tmp/said"
check "a run afterwards gives the same bytes" again
check "… and solves nothing" grep -q ' 11 from the cache' "$tmp/all"
check "the first round ends with shapes, since other shards are missing" grep -q "pass 'shapes' stored in .* signatures of other shards are missing" "$tmp/said-1-1"
check "the second round ends with rules" grep -q "pass 'rules' stored in .* signatures of other shards are missing" "$tmp/said-2-2"
check "the last shard reports completion" grep -q "pass 'API rules' stored in .*complete" "$tmp/said-3-2"
check "each keeps a file of its own" test "$(find "$tmp/cache" -name 'solved-*-of-7.jsonl' | wc -l)" -eq 7

# A crashed shard is run again; its cached results are not recomputed.
rm -rf "$tmp/cache"
"$smith" synth --traces "$tmp/t" --cache "$tmp/cache" --shard 0/2 2>/dev/null
file=$(find "$tmp/cache" -name 'solved-0-of-2.jsonl')
head -c -20 "$file" >"$tmp/torn" && cp "$tmp/torn" "$file"
for round in 1 2 3; do for k in 0 1; do "$smith" synth --traces "$tmp/t" --cache "$tmp/cache" --shard $k/2 2>/dev/null; done; done
"$smith" synth --traces "$tmp/t" --cache "$tmp/cache" -o "$tmp/merged.jsonl" 2>/dev/null
check "a truncated file does no harm" cmp "$tmp/whole.jsonl" "$tmp/merged.jsonl"

for bad in 2/2 1 -1/2 a/2 1/2x 0/0 /2; do
	expect "--shard $bad is invalid" 2 "shard: expected I/N" "$smith" synth --traces "$tmp/t" --cache "$tmp/cache" --shard "$bad"
done
expect "a shard needs a cache" 2 "requires --cache" "$smith" synth --traces "$tmp/t" --shard 0/2
expect "a shard writes no rules" 2 "excludes -o" "$smith" synth --traces "$tmp/t" --cache "$tmp/cache" --shard 0/2 -o "$tmp/x"
check "… and none exists" test ! -e "$tmp/x"

"$smith" questions --traces "$tmp/t" --cache "$tmp/cache" --each 2 -o "$tmp/q" 2>/dev/null
: >"$tmp/parts"
for k in 0 1 2; do
	"$smith" questions --traces "$tmp/t" --cache "$tmp/cache" --each 2 --shard $k/3 -o "$tmp/part" 2>/dev/null
	cat "$tmp/part" >>"$tmp/parts"
	check "part $k of the questions is a proper part" test "$(wc -l <"$tmp/part")" -lt "$(wc -l <"$tmp/q")"
done
check "three parts are all questions" cmp "$tmp/q" "$tmp/parts"
check "… at least one" test -s "$tmp/q"

# The Slurm script, with an sbatch that runs its script immediately.
mkdir "$tmp/bin"
cat >"$tmp/bin/sbatch" <<'END'
#!/bin/bash
tasks= script=
for word; do
	case $word in
	--array=0-*) tasks=${word#--array=0-} ;;
	-*) ;;
	*) script=$word && break ;;
	esac
done
shift $(($# - 1))
[ "$1" = "$script" ] && set -- || :
echo "$script $* tasks $tasks" >>"$SBATCH_LOG"
if [ -n "$tasks" ]; then
	for id in $(seq 0 "$tasks"); do SLURM_ARRAY_TASK_ID=$id SLURM_ARRAY_TASK_MIN=0 SLURM_ARRAY_TASK_MAX=$tasks bash "$script" 2>/dev/null; done
else
	bash "$script" "$@" 2>/dev/null
fi
echo 17
END
chmod +x "$tmp/bin/sbatch"
slurm() { env PATH="$tmp/bin:$PATH" SBATCH_LOG="$tmp/jobs" TRACES="$tmp/t" CACHE="$tmp/slurm" RULES="$tmp/slurm.jsonl" RULESMITH="$smith" bash docs/ci/slurm-synth.sh "$@"; }
check "three arrays and a last task" slurm 3
check "… are four jobs" test "$(wc -l <"$tmp/jobs")" -eq 4
check "… that give the bytes of a single run" cmp "$tmp/whole.jsonl" "$tmp/slurm.jsonl"
expect "the number of shards is required" 1 "how many shards" slurm
