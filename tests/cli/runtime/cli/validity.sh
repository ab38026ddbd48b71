# rulefuzz validity: the framework comes first; the Python package gets all other arguments unchanged.
. tests/cli/tap.sh
fuzz=$(realpath "$BUILD/rulefuzz")
cat >"$tmp/python" <<'END'
#!/bin/sh
for word; do printf '[%s]' "$word"; done
exit 7
END
chmod +x "$tmp/python"
validity() { RULEFUZZ_PYTHON="$tmp/python" "$fuzz" validity "$@"; }

expect "no arguments" 2 '^rulefuzz validity: error: expected a FRAMEWORK before the options' validity
expect "option before the framework" 2 '^rulefuzz validity: error: expected a FRAMEWORK before the options' validity --jobs 2 torch
validity torch --jobs 2 '' 'a b' >"$tmp/words"
code=$?
check "package's exit code" test $code -eq 7
check "arguments are passed unchanged" grep -qxF '[-m][rulefuzz.validity][torch][--jobs][2][][a b]' "$tmp/words"
for help in -h --help; do
	validity torch $help >"$tmp/page"
	code=$?
	check "$help is handled by the program" test $code -eq 0
	check "… not by the package" sh -c "grep -q '^usage: rulefuzz validity' '$tmp/page'"
done
expect "missing Python" 5 "^rulefuzz validity: error: cannot run $tmp/none" env RULEFUZZ_PYTHON="$tmp/none" "$fuzz" validity torch
expect "missing framework" 5 '^rulefuzz validity: ' env -u RULEFUZZ_PYTHON RULESMITH_VENVS="$tmp" "$fuzz" validity torch
echo "1..$n"
