# The unit tests of the package rulefuzz, in plain Python and in each framework's environment; each skips what is not
# installed.
. tests/cli/tap.sh
run() { # run PYTHON NAME: one check for its tests
	"$1" -m tests.tap tests/python "$2: " >"$tmp/out" 2>"$tmp/err"
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
	if [ -x "$python" ]; then run "$python" $framework; else ok "tests with $framework # SKIP no $python"; fi
done
echo "1..$n"
