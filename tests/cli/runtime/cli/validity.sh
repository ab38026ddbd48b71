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

expect "nothing" 2 '^rulefuzz validity: error: expected a FRAMEWORK before the options' validity
expect "an option first" 2 '^rulefuzz validity: error: expected a FRAMEWORK before the options' validity --jobs 2 torch
validity torch --jobs 2 '' 'a b' >"$tmp/words"
code=$?
check "it ends as the package does" test $code -eq 7
check "each word is handed over" grep -qxF '[-m][rulefuzz.validity][torch][--jobs][2][][a b]' "$tmp/words"
for help in -h --help; do
	validity torch $help >"$tmp/page"
	code=$?
	check "$help is the program's own" test $code -eq 0
	check "… and no package's" sh -c "grep -q '^usage: rulefuzz validity' '$tmp/page'"
done
expect "no such Python" 5 "^rulefuzz validity: error: cannot run $tmp/none" env RULEFUZZ_PYTHON="$tmp/none" "$fuzz" validity torch
expect "no such framework" 5 '^rulefuzz validity: ' env -u RULEFUZZ_PYTHON RULESMITH_VENVS="$tmp" "$fuzz" validity torch
echo "1..$n"
