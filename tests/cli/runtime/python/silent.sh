#!/bin/sh
# No worker uses the network or runs pip, and none is told to: each installed target runs a model with a preloaded library that
# logs connections, look-ups and pip, in a network namespace without a network if this user may make one.
. tests/cli/tap.sh
fuzz=$BUILD/rulefuzz log=$tmp/log guard=$tmp/offline.so

mkdir -p "$tmp/package/rulefuzz/targets"
printf 'import os, sys\nopen(sys.argv[1] + ".env", "w").write("\\n".join(map("=".join, os.environ.items())))\nsys.exit(5)\n' \
	>"$tmp/package/rulefuzz/worker.py"
: >"$tmp/package/rulefuzz/__init__.py"
printf '"""A target."""\nFRAMEWORK = "torch"\nREQUIRES = ("torch",)\n' >"$tmp/package/rulefuzz/targets/heard.py"
(cd "$tmp" && POLYGRAPHY_AUTOINSTALL_DEPS=1 RULEFUZZ_PACKAGE=$tmp/package "$(realpath "$OLDPWD/$fuzz" 2>/dev/null || realpath "$fuzz")" \
	run --backend heard --python "$(command -v python3)" --count 1 --db heard.db >/dev/null 2>&1)
for setting in ORT_DISABLE_TELEMETRY=1 PIP_NO_INDEX=1 PIP_REQUIRE_VIRTUALENV=1 HF_HUB_OFFLINE=1; do
	check "workers get $setting" grep -qx "$setting" "$tmp/heard.env"
done
check "… and nothing that lets them install packages" sh -c '! grep -q POLYGRAPHY_AUTOINSTALL_DEPS "$1"' - "$tmp/heard.env"

if sanitized; then
	skip "targets without a network" "no library can be preloaded under ASan"
	echo "1..$n"
	exit 0
fi
${CC:-cc} -O1 -shared -fPIC -o "$guard" tests/cli/runtime/python/offline.c -ldl || exit 1
apart= # in a namespace of its own, what does not call libc reaches no network, either
unshare -rn true 2>/dev/null && apart="unshare -rn"
guarded() { OFFLINE_LOG=$log LD_PRELOAD=$guard timeout 800 $apart "$@"; }

guarded python3 - >/dev/null 2>&1 <<'PY'
import socket, subprocess, sys
for attempt in (
    lambda: socket.create_connection(("192.0.2.1", 80), 2),
    lambda: socket.create_connection(("rulefuzz.invalid", 80), 2),
    lambda: socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b"x", ("192.0.2.2", 53)),
    lambda: subprocess.run([sys.executable, "-m", "pip", "--version"], check=True),
):
    try:
        attempt()
    except OSError:
        pass
PY
for line in 'looks up 192.0.2.1' 'looks up rulefuzz.invalid' 'connects to 192.0.2.2' 'runs pip'; do
	check "the library sees: $line" grep -q "^$line by python" "$log"
done
rm -f "$log"

installed=$("$fuzz" backends | sed -n '2,/^$/p' | grep -v 'not installed' | awk 'NF { print $2 ":" $1 }')
[ -n "$installed" ] || skip "targets without a network" "no target is installed"
for framework in $(printf '%s\n' $installed | sed 's/:.*//' | sort -u); do
	targets=$(printf '%s\n' $installed | sed -n "s/^$framework://p")
	: >"$log"
	guarded "$fuzz" run --backend "$(echo $targets | tr ' ' ,)" --count 2 --nodes 1..2 --probe 0 --capabilities none \
		--reduce-time 0 --db "$tmp/$framework.db" >"$tmp/said" 2>&1
	code=$?
	check "targets of $framework run without a network" [ $code -eq 0 -o $code -eq 3 ]
	for target in $targets; do
		check "… $target" grep -qE "^([^ ]*,)?$target(,[^ ]*)?: " "$tmp/said"
	done
	check "… and try none" [ ! -s "$log" ]
	sort "$log" | uniq -c | sed 's/^/# /'
	grep 'error:' "$tmp/said" | sed 's/^/# /'
done
echo "1..$n"
