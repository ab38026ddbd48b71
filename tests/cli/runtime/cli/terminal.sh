#!/bin/sh
# list, show and explain-finding, on a terminal and redirected: widths, wide characters, colors, text.
. tests/cli/tap.sh
fuzz=$BUILD/rulefuzz db=$tmp/db
escape=$(printf '\033')
none='no pseudo-terminals here'
"$fuzz" run --backend fake --framework torch --backend-command 'sh tests/data/backends/fake.sh error' --db "$db" --count 8 >"$tmp/shown" 2>&1
python3 -c 'import sqlite3, sys
base = sqlite3.connect(sys.argv[1])
with base:
    base.execute("UPDATE findings SET title = ?, found = strftime(\"%Y-%m-%dT%H:%M:%SZ\", \"now\", \"-3 days\")",
                 ["fake: 算子" * 30 + "\033[31mred"])' "$db"
width() { # the width of the longest line
	python3 -c 'import sys, unicodedata
print(max(sum(0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in line.rstrip("\n"))
          for line in sys.stdin))'
}
if has_terminals; then
	for columns in 200 100 80 60 59 40; do
		on_terminal $columns "$fuzz" list --db "$db" --color=never >"$tmp/shown"
		check "a line fits $columns columns" [ "$(grep -v 'findings: ' "$tmp/shown" | width)" -le $columns ]
		check "… with one line per finding" [ "$(grep -c '  error' "$tmp/shown")" -eq "$(grep -vc 'findings: ' "$tmp/shown")" ]
	done
	on_terminal 80 "$fuzz" list --db "$db" --color=never >"$tmp/shown"
	check "kind, status, age and count" grep -qE '^   1  error +open +3 d +2?1x  fake: 算子' "$tmp/shown"
	check "a cut line ends with an ellipsis" grep -q '…$' "$tmp/shown"
else
	ok "lines fit a terminal # SKIP $none"
fi
"$fuzz" list --db "$db" >"$tmp/shown"
check "redirected: complete titles" sh -c "[ \$(wc -c <'$tmp/shown') -gt 500 ] && ! grep -q '…' '$tmp/shown'"
check "… and dates" grep -qE '^   1  error +open +[12]x  20[0-9][0-9]-[0-9][0-9]-[0-9][0-9]  fake: 算子' "$tmp/shown"
check "… without control sequences" sh -c "! grep -q '$escape' '$tmp/shown' && grep -q 'x1b\[31mred' '$tmp/shown'"

coloured() { grep -q "$escape\[" "$tmp/shown"; }
plain() { ! coloured; }
if has_terminals; then
	for case in 'colours on a terminal:coloured:/usr/bin/env -u NO_COLOR TERM=xterm' 'none with NO_COLOR:plain:/usr/bin/env NO_COLOR=1 TERM=xterm' \
		'colours with an empty NO_COLOR:coloured:/usr/bin/env NO_COLOR= TERM=xterm' 'none on a dumb one:plain:/usr/bin/env -u NO_COLOR TERM=dumb'; do
		what=${case%%:*} rest=${case#*:}
		# shellcheck disable=SC2086 # words
		on_terminal 80 ${rest#*:} "$(realpath "$fuzz")" list --db "$db" >"$tmp/shown"
		check "$what" ${rest%%:*}
	done
	on_terminal 80 /usr/bin/env NO_COLOR=1 "$(realpath "$fuzz")" list --db "$db" --color=always >"$tmp/shown"
	check "--color overrides NO_COLOR" coloured
else
	ok "colours on a terminal # SKIP $none"
fi
"$fuzz" list --db "$db" >"$tmp/shown"
check "redirected: no colors" plain
"$fuzz" show 1 --db "$db" --color=always >"$tmp/shown"
check "redirected: colors on request" coloured
"$fuzz" show 1 --db "$db" >"$tmp/shown"
check "show, redirected: no colors" plain
check "the model as a program with shapes" grep -qE '^model\(t0: [a-z0-9]+\[[0-9,]*\]' "$tmp/shown"
check "… with one call per line" grep -qE '^  t[0-9]+: [a-z0-9]+\[[0-9,]*\] = torch\.[A-Za-z0-9_.]+\(' "$tmp/shown"
check "… and its results" grep -qE '^  return t[0-9]+' "$tmp/shown"
for command in list show; do
	expect "$command: bad --color" 2 "--color: expected auto, always or never, got 'red'" "$fuzz" $command --db "$db" --color red
done

"$fuzz" explain-finding 1 --db "$db" >"$tmp/shown"
for part in 'What was compared' 'Results' 'How it was confirmed' '  actual               FakeError' '  message              cannot lower shape' \
	'  rerun                failed the same way twice' '  fresh process        yes'; do
	check "explain-finding prints: $part" grep -q "^$part" "$tmp/shown"
done
expect "unknown finding" 1 'no finding 99' "$fuzz" explain-finding 99 --db "$db"
expect "missing ID" 2 "expected one finding's ID" "$fuzz" explain-finding --db "$db"
expect "underscore in a command" 2 "unknown command 'explain_finding'" "$fuzz" explain_finding 1
check "help" "$fuzz" explain-finding --help
"$fuzz" --help >"$tmp/shown"
check "listed in the help" grep -q '^  explain-finding ' "$tmp/shown"
echo "1..$n"
