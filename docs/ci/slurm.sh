#!/bin/bash
# A campaign as a Slurm array: each task runs one shard with its own database; a last task merges them. docs/guides/ci.md explains it.
#
#   sbatch --array=0-15 docs/ci/slurm.sh            16 shards of the same models
#   sbatch --dependency=afterany:JOB docs/ci/slurm.sh merge
#
# BACKEND, FUZZ_TIME, FUZZ_SEED and STATE come from the environment; a restarted task continues where it stopped. A shard exits
# with 0 even if it found something: the merged report shows it.
#SBATCH --job-name=rulefuzz
#SBATCH --cpus-per-task=1
#SBATCH --time=0-04:30:00
#SBATCH --requeue
set -eu
BACKEND=${BACKEND:-torch-inductor} FUZZ_TIME=${FUZZ_TIME:-4h} FUZZ_SEED=${FUZZ_SEED:-1} STATE=${STATE:-rulefuzz-state}
RULEFUZZ=${RULEFUZZ:-build/rulefuzz}
mkdir -p "$STATE"
if [ "${1:-}" = merge ]; then
	rm -f "$STATE/all.db"
	"$RULEFUZZ" merge "$STATE/all.db" "$STATE"/shard-*.db
	exec "$RULEFUZZ" report --db "$STATE/all.db" --out "$STATE/report"
fi
first=${SLURM_ARRAY_TASK_MIN:-0} last=${SLURM_ARRAY_TASK_MAX:-0}
shard=$((${SLURM_ARRAY_TASK_ID:-0} - first)) shards=$((last - first + 1))
# shellcheck disable=SC2086 # RULEFUZZ_OPTIONS are words
"$RULEFUZZ" run --backend "$BACKEND" --time "$FUZZ_TIME" --seed "$FUZZ_SEED" --shard "$shard/$shards" --resume \
	--db "$STATE/shard-$shard.db" ${RULEFUZZ_OPTIONS:-} || [ $? -eq 3 ]
