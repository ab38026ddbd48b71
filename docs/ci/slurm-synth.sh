#!/bin/bash
# Synthesis as Slurm arrays: each task solves a part of the APIs in three passes (shapes, rules, API rules); a last task writes the
# file of rules, byte for byte that of `make rules`.
#
#   docs/ci/slurm-synth.sh 8              submits three arrays of 8 tasks and the last task, each after the one before
#
# TRACES, CACHE and RULES come from the environment; CACHE must be a folder that all nodes share. A restarted task solves nothing
# twice.
#SBATCH --job-name=rulesmith
#SBATCH --cpus-per-task=1
#SBATCH --time=0-12:00:00
#SBATCH --requeue
set -eu
TRACES=${TRACES:-traces/jax traces/onnx traces/tensorflow traces/torch} CACHE=${CACHE:-build/cache} RULES=${RULES:-build/rules.jsonl}
RULESMITH=${RULESMITH:-build/rulesmith}
if [ -n "${SLURM_ARRAY_TASK_ID:-}" ]; then
	first=${SLURM_ARRAY_TASK_MIN:-0} last=${SLURM_ARRAY_TASK_MAX:-0}
	# shellcheck disable=SC2086 # TRACES are words
	exec "$RULESMITH" synth $TRACES -j1 --cache "$CACHE" --shard "$((SLURM_ARRAY_TASK_ID - first))/$((last - first + 1))"
elif [ "${1:-}" = rules ]; then
	# shellcheck disable=SC2086
	exec "$RULESMITH" synth $TRACES -j1 --cache "$CACHE" -o "$RULES"
fi
shards=${1:?how many shards?} before=
mkdir -p "$CACHE"
for pass in shapes rules api-rules; do
	# shellcheck disable=SC2086 # none before the first
	before=--dependency=afterok:$(sbatch --parsable --job-name="$pass" --output="$CACHE/$pass-%a.txt" --array="0-$((shards - 1))" $before "$0")
done
sbatch --job-name=write --output="$CACHE/write.txt" "$before" "$0" rules
