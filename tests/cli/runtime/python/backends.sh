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
check "… in the recorded versions" grep -qx -- '-m pip install --quiet onnx==.* onnxruntime==.* numpy' "$LOG"
check "… in the virtual environment" [ -x "$tmp/venvs/onnx/bin/python" ]
check "a second time" traces/backends.sh onnx
check "… does nothing" [ "$(installs)" -eq 1 ]
expect "unknown framework" 5 "unknown framework or backend 'nothing'" traces/backends.sh nothing
expect "invalid name" 5 "unknown framework or backend '.*'" traces/backends.sh '../onnx'
expect "no name" 2 "usage: " traces/backends.sh

check "backend in its framework's environment" traces/backends.sh onnxruntime
check "… installs nothing" [ "$(installs)" -eq 1 ]
mkdir -p "$tmp/tree/traces" "$tmp/tree/rulefuzz/targets" && cp traces/backends.sh "$tmp/tree/traces"
cp runtime/rules/frameworks.def "$tmp/tree/rulefuzz"
printf 'FRAMEWORK = "onnx"\nREQUIRES = ("far-off==1.2", "near")\n' >"$tmp/tree/rulefuzz/targets/onnx_far_off.py"
check "backend with requirements" "$tmp/tree/traces/backends.sh" onnx-far-off
check "… installs its framework's and its own requirements" grep -qx -- '-m pip install --quiet onnx==.* onnxruntime==.* numpy far-off==1.2' "$LOG"
check "… in a separate environment" [ -x "$tmp/venvs/onnx-far-off/bin/python" ]

installs_as() { # installs_as NAME ENVIRONMENT REQUIREMENTS: of another version, in an environment of its own
	check "$1" traces/backends.sh "$1"
	check "… installs $3" grep -qx -- "-m pip install --quiet $3" "$LOG"
	check "… in $2" [ -x "$tmp/venvs/$2/bin/python" ]
}
onnx=$(sed -n 's/^FRAMEWORK(onnx, "[^"]*", "\(onnx==[^ ]*\).*/\1/p' runtime/rules/frameworks.def)
installs_as onnxruntime@1.17.1 onnxruntime@1.17.1 'onnxruntime==1.17.1 onnx==1.15.0 numpy<2 ml_dtypes'
installs_as onnxruntime-basic@1.22.1 onnxruntime@1.22.1 'onnxruntime==1.22.1 onnx==1.18.0 numpy ml_dtypes'
installs_as onnxruntime@9.9.9 onnxruntime@9.9.9 "onnxruntime==9.9.9 $onnx numpy ml_dtypes"
installs_as openvino@2024.0.0 openvino@2024.0.0 "$onnx onnxruntime==[0-9.]* numpy<2 openvino==2024.0.0"
installs_as openvino@2025.0.0 openvino@2025.0.0 "$onnx onnxruntime==[0-9.]* numpy openvino==2025.0.0"
installs_as torch-inductor@2.12.1 torch@2.12.1 'torch==2.12.1 numpy expecttest'
installs_as tensorflow-xla@2.15.1 tensorflow@2.15.1 'tensorflow-cpu==2.15.1 numpy'
before=$(installs)
check "one version serves all levels" traces/backends.sh onnxruntime-layout@1.17.1 onnxruntime-basic@1.17.1 torch-jit@2.12.1
check "… and installs nothing again" [ "$(installs)" -eq "$before" ]
expect "unknown backend with a version" 5 "unknown framework or backend 'nothing'" traces/backends.sh nothing@1.0
for name in onnxruntime@ onnxruntime@1@2 'onnxruntime@1;2' onnxruntime@../1 onnxruntime@-1; do
	expect "invalid version: $name" 5 "expected NAME@VERSION, such as onnxruntime@1.17.1" traces/backends.sh "$name"
done
: >"$LOG"
traces/backends.sh torch >/dev/null && traces/backends.sh jax >/dev/null && rm "$(realpath "$tmp/venvs/torch")/bin/has"

SLOW=1 traces/backends.sh torch >"$tmp/one" 2>&1 &
SLOW=1 traces/backends.sh torch >"$tmp/two" 2>&1 &
wait
check "two at once install once" [ "$(installs)" -eq 3 ]
check "… and one of them prints it" [ "$(cat "$tmp/one" "$tmp/two" | grep -c installing)" -eq 1 ]

SLOW=30 setsid traces/backends.sh tensorflow >/dev/null 2>&1 &
killed=$!
until [ "$(installs)" -eq 4 ]; do :; done
kill -9 -"$killed" && wait "$killed" 2>/dev/null
check "killed installation leaves no environment" [ ! -e "$tmp/venvs/tensorflow" ]
check "… and the next run installs it" traces/backends.sh tensorflow
check "… and removes the remains" [ "$(find "$tmp/venvs" -maxdepth 1 -name '.tensorflow.*' | wc -l)" -eq 1 ]

rm "$(realpath "$tmp/venvs/onnx")/bin/has"
expect "failed installation" 5 'pip install onnx==.* failed: see ' env BROKEN=1 traces/backends.sh onnx
check "… keeps the old environment" [ -x "$tmp/venvs/onnx/bin/python" ]
rm "$tmp/venvs/onnx" && mkdir -p "$tmp/venvs/onnx/bin"
check "folder instead of the link" traces/backends.sh onnx
check "… is replaced" [ -e "$tmp/venvs/onnx/bin/has" ]
check "… and removed" [ "$(find "$tmp/venvs" -maxdepth 1 -name '.onnx.*' | wc -l)" -eq 1 ]
echo "1..$n"
