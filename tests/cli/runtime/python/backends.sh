#!/bin/sh
# traces/backends.sh with a fake Python: what it installs, if it runs twice at once, after it was killed, and over an
# old environment.
. tests/cli/tap.sh
mkdir "$tmp/bin"
cat >"$tmp/bin/python3" <<'SH'
#!/bin/sh
# -m venv DIR: a venv whose python installs slowly, and has what it wants once it did
mkdir -p "$3/bin"
cat >"$3/bin/python" <<'PY'
#!/bin/sh
here=$(dirname "$0")
case $* in
"-m pip install"*)
	echo "$*" >>"$LOG"
	sleep "${SLOW:-0}"
	[ -z "$BROKEN" ] || exit 1
	: >"$here/has"
	;;
-*) [ -e "$here/has" ] ;;
esac
PY
chmod +x "$3/bin/python"
SH
chmod +x "$tmp/bin/python3"
PATH=$tmp/bin:$PATH RULESMITH_VENVS=$tmp/venvs LOG=$tmp/log
export PATH RULESMITH_VENVS LOG
installs() { grep -c install "$LOG"; }

check "a framework is installed" traces/backends.sh onnx
check "… in the versions of the table" grep -qx -- '-m pip install --quiet onnx==.* onnxruntime==.* numpy' "$LOG"
check "… where Python is looked for" [ -x "$tmp/venvs/onnx/bin/python" ]
check "once" traces/backends.sh onnx
check "… it is there" [ "$(installs)" -eq 1 ]
expect "one that is in no table" 5 "unknown framework or backend 'nothing'" traces/backends.sh nothing
expect "a name that is none" 5 "unknown framework or backend '.*'" traces/backends.sh '../onnx'
expect "no name" 2 "usage: " traces/backends.sh

check "a backend of its framework's environment" traces/backends.sh onnxruntime
check "… needs no more" [ "$(installs)" -eq 1 ]
mkdir -p "$tmp/tree/traces" "$tmp/tree/rulefuzz/targets" && cp traces/backends.sh "$tmp/tree/traces"
cp runtime/rules/frameworks.def "$tmp/tree/rulefuzz"
printf 'FRAMEWORK = "onnx"\nREQUIRES = ("far-off==1.2", "near")\n' >"$tmp/tree/rulefuzz/targets/onnx_far_off.py"
check "one that requires more" "$tmp/tree/traces/backends.sh" onnx-far-off
check "… gets what its framework requires, and that" grep -qx -- '-m pip install --quiet onnx==.* onnxruntime==.* numpy far-off==1.2' "$LOG"
check "… in an environment of its own" [ -x "$tmp/venvs/onnx-far-off/bin/python" ]

SLOW=1 traces/backends.sh torch >"$tmp/one" 2>&1 &
SLOW=1 traces/backends.sh torch >"$tmp/two" 2>&1 &
wait
check "two at once install one" [ "$(installs)" -eq 3 ]
check "… of which one says so" [ "$(cat "$tmp/one" "$tmp/two" | grep -c installing)" -eq 1 ]

SLOW=30 setsid traces/backends.sh tensorflow >/dev/null 2>&1 &
killed=$!
until [ "$(installs)" -eq 4 ]; do :; done
kill -9 -"$killed" && wait "$killed" 2>/dev/null
check "one that is killed leaves no half of one" [ ! -e "$tmp/venvs/tensorflow" ]
check "… and the next installs it" traces/backends.sh tensorflow
check "… and takes away what was left" [ "$(find "$tmp/venvs" -maxdepth 1 -name '.tensorflow.*' | wc -l)" -eq 1 ]

rm "$(realpath "$tmp/venvs/onnx")/bin/has"
expect "an installation that fails" 5 'pip install onnx==.* failed: see ' env BROKEN=1 traces/backends.sh onnx
check "… leaves the old one" [ -x "$tmp/venvs/onnx/bin/python" ]
rm "$tmp/venvs/onnx" && mkdir -p "$tmp/venvs/onnx/bin"
check "a folder takes the link's place" traces/backends.sh onnx
check "… is replaced" [ -e "$tmp/venvs/onnx/bin/has" ]
check "… and gone" [ "$(find "$tmp/venvs" -maxdepth 1 -name '.onnx.*' | wc -l)" -eq 1 ]
echo "1..$n"
