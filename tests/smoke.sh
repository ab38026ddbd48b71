#!/bin/sh
# A smoke campaign of each backend: it must run, compare at least one model, and exit with 0 or 3 (a new bug).
# Models have one to three nodes: some backends support few operators, and one unsupported operator rejects the
# whole model. Prints a table, then a line of totals. Backends that are not installed are skipped; INSTALL=1
# installs them first.
#   usage: smoke.sh BUILD_DIR TIME [BACKEND…]      (default: all but those for tests)
#
# A backend may be NAME@VERSION. VERSIONS=all adds the versions of onnxruntime and OpenVINO that are in use, VERSIONS='1.20.1 …'
# onnxruntime in these (or NAME@VERSION); both run nothing else by default.
#
#   models/s   overall: reference, target, comparison, triage
#   ms         time that the target takes to compile and run a model, rejections included
#   accepted   share of the reference's models that the target does not report as unsupported
#   valid      share of the models that the reference accepts, with the predicted shapes
#   differ     models with inconsistent results: one bug may cause many
build=$1 time=$2
shift 2
cd "$(dirname "$0")/.." || exit 1
IN_USE="onnxruntime@1.17.1 onnxruntime@1.20.1 onnxruntime@1.22.1 onnxruntime@1.24.4 onnxruntime@1.26.0 onnxruntime@1.28.0 \
onnxruntime@1.30.0 onnxruntime@1.32.0 openvino@2024.0.0 openvino@2025.0.0 openvino@2026.4.1"
case ${VERSIONS:-} in
'') ;;
all) set -- "$@" $IN_USE ;;
*) for version in $VERSIONS; do
	case $version in *@*) set -- "$@" "$version" ;; *) set -- "$@" "onnxruntime@$version" ;; esac
done ;;
esac
[ $# -gt 0 ] || set -- $("$build/rulefuzz" backends | sed 's/ .*//; /^torch-broken$/d; /^torch-eager$/d; /^torch-same$/d; /^onnxruntime-none$/d')
passed=0 failed=0 skipped=0
printf '%-21s %8s %8s %9s %9s %8s %8s %8s %8s %8s  %s\n' backend models/s ms accepted valid compared differ errors crashes hangs exit
for backend in "$@"; do
	[ "${INSTALL:-0}" != 1 ] || traces/backends.sh "$backend" || true
	if ! "$build/rulefuzz" backends "$backend" >/dev/null; then
		printf '%-21s not installed: make backends BACKEND=%s\n' "$backend" "$backend"
		skipped=$((skipped + 1))
		continue
	fi
	rm -f "$build/smoke-$backend".db*
	"$build/rulefuzz" run --backend "$backend" --nodes 1..3 --time "$time" --db "$build/smoke-$backend.db" --json >"$build/smoke-$backend.json" \
		2>"$build/smoke-$backend.log"
	code=$?
	if python3 - "$build/smoke-$backend.json" "$code" "$backend" <<-'PY'; then
		import json, sys
		try:
		    with open(sys.argv[1]) as f:
		        run = json.load(f)
		except ValueError:
		    sys.exit(1)
		n = run["counts"]
		reached = sum(n[key] for key in ("compared", "unsupported", "error", "crash", "hang", "memory"))
		judged = reached + n["rejected"] + n["mispredicted"] + n["unreadable"]
		valid = 100 * reached / max(judged, 1)
		accepted = 100 * (reached - n["unsupported"]) / max(reached, 1)
		spent = 1000 * (run["stage_seconds"]["compile"] + run["stage_seconds"]["run"]) / max(reached, 1)
		print(f"{sys.argv[3]:21} {run['models_per_second']:8.1f} {spent:8.1f} {accepted:7.1f} % {valid:7.2f} % {n['compared']:8}"
		      f" {n['inconsistency']:8} {n['error']:8} {n['crash']:8} {n['hang']:8}  {sys.argv[2]}")
		sys.exit(n["compared"] == 0 or sys.argv[2] not in ("0", "3"))
	PY
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		echo "FAILED $backend (exit $code)"
		tail -5 "$build/smoke-$backend.log"
	fi
done
printf '%d passed, %d failed, %d skipped\n' "$passed" "$failed" "$skipped"
[ "$failed" -eq 0 ]
