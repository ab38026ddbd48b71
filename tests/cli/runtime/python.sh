# The unit tests of the package rulefuzz: in any Python those that need no framework, in each virtual environment its own.
. tests/cli/tap.sh
run() { # run PYTHON NAME [PATTERN]: its tests as ours
	"$1" -m tests.tap tests/python "$2: " "${3:-test*.py}" >"$tmp/out" 2>"$tmp/err"
	code=$?
	while IFS= read -r line; do
		case $line in
		"ok "*) ok "${line#ok * - }" ;;
		"not ok "*) not_ok "${line#not ok * - }" ;;
		"#"*) echo "$line" ;;
		esac
	done <"$tmp/out"
	[ $code -eq 0 ] || grep -q '^not ok' "$tmp/out" || {
		not_ok "$2: the tests run"
		sed 's/^/# /' "$tmp/err"
	}
}
run python3 plain
for framework in torch tensorflow onnx; do
	python=$venvs/$framework/bin/python
	if [ -x "$python" ]; then run "$python" $framework "test_[ac]*.py"; else ok "tests with $framework # SKIP no $python"; fi
done
echo "1..$n"
