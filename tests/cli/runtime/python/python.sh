# The unit tests of the package rulefuzz: all in plain Python, and in each framework's environment the modules with a
# test that plain Python skips, since its framework is missing.
. tests/cli/tap.sh
run() { # run PYTHON NAME [MODULE.py…]: one check for each of their tests
	python=$1 name=$2
	shift 2
	"$python" -m tests.tap tests/python "$name: " "$@" >"$tmp/out" 2>"$tmp/err"
	code=$?
	while IFS= read -r line; do
		case $line in
		"ok "*) ok "${line#ok * - }" ;;
		"not ok "*) not_ok "${line#not ok * - }" ;;
		"#"*) echo "$line" ;;
		esac
	done <"$tmp/out"
	[ $code -eq 0 ] || grep -q '^not ok' "$tmp/out" || {
		not_ok "$name: the tests run"
		sed 's/^/# /' "$tmp/err"
	}
}
run python3 plain
skipped=$(awk '/^ok .*# SKIP/ && match($0, /test_[a-z0-9_]+/) { print substr($0, RSTART, RLENGTH) ".py" }' "$tmp/out")
found=$(grep -rl '^def load_tests' tests/python --include='test_*.py' | sed 's|.*/||') # has the tests of what is installed
modules=$(printf '%s\n' $skipped $found | sort -u)
for framework in torch tensorflow onnx; do
	python=$venvs/$framework/bin/python
	if [ -x "$python" ]; then run "$python" $framework $modules; else ok "tests with $framework # SKIP no $python"; fi
done
echo "1..$n"
