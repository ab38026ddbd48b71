#!/bin/sh
# The static rulefuzz on a system without any other file: no libc, no /proc, no /tmp.
BUILD=${BUILD:-build}
. tests/cli/tap.sh
static=$BUILD/static/rulefuzz
root=$tmp/root
mkdir "$root" && cp "$static" "$root/rulefuzz"
if [ "$(id -u)" = 0 ]; then bare() { chroot "$root" /rulefuzz "$@"; }; else bare() { unshare -r chroot "$root" /rulefuzz "$@"; }; fi
check "it needs no loader and no library" sh -c "! readelf -l $static | grep -qE 'INTERP|DYNAMIC'"
check "at most 17.5 MB" [ "$(wc -c <"$static")" -le 17500000 ]
check "no path of the build machine" sh -c "! strings -a $static | grep -F '$PWD'"
check "it starts in an empty root" bare --version
cp "$tmp/out" "$tmp/text"
check "… with its version" grep -qx "$("$BUILD/rulefuzz" --version)" "$tmp/text"
check "it contains all tables" sh -c "[ \$($BUILD/static/rulefuzz rules --json | tr ',' '\n' | grep -c '\"framework\"') -eq \$(grep -c ^FRAMEWORK runtime/rules/frameworks.def) ]"
for framework in torch tensorflow onnx; do
	bare gen --framework $framework --count 20 --seed 7 --nodes 5 >"$tmp/bare"
	"$BUILD/rulefuzz" gen --framework $framework --count 20 --seed 7 --nodes 5 >"$tmp/usual"
	check "$framework: the models of the other build" cmp "$tmp/bare" "$tmp/usual"
done
bare gen --framework onnx --format onnx --count 2 -o models >"$tmp/text" 2>&1
check "it reads and writes files" sh -c "[ \$(ls $root/models | wc -l) -eq 2 ]"
expect "rules of a shared library are rejected" 1 "error: cannot load the rules: this rulefuzz is linked statically" bare gen --rules /rules.so
expect "… also of an existing one" 1 "this rulefuzz is linked statically" "$static" gen --rules "$BUILD/wheel/librulesmith.so"
bare worker onnxruntime --library /some.so </dev/null >"$tmp/text" 2>&1
check "it has the fast path" grep -q '"fatal":"this rulefuzz is linked statically' "$tmp/text"
expect "without the Python package" 5 "rulefuzz" bare run --backend torch-jit --count 1 --db /db
CJSON_SOURCE=$tmp
export CJSON_SOURCE
expect "an invalid cJSON source" 1 "cjson: error: there is no .*/cJSON.c" sh packages/cjson.sh "$tmp/source"
check "… leaves no files" [ -z "$(ls "$tmp/source")" ]
echo "1..$n"
