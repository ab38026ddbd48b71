#!/bin/sh
# Findings on the terminal and in reports: a database of 40 with hostile texts, as in tests/golden/report; checksums of long files. UPDATE=1 rewrites them.
. tests/cli/tap.sh
fuzz=$BUILD/rulefuzz version=$("$BUILD/rulefuzz" --version | sed -n '1s/^rulefuzz \([0-9.]*\).*/\1/p')
[ -n "$UPDATE" ] && mkdir -p tests/golden/report
"$fuzz" run --backend fake --framework torch --backend-command 'sh tests/data/backends/fake.sh ok' --db "$tmp/db" --count 1 >/dev/null 2>&1
python3 tests/cli/runtime/report/findings_report.py make "$tmp/db" 40
# Titles as `rulefuzz run` writes them, whose kind the list omits, and titles that only begin so.
python3 - "$tmp/db" <<'END'
import sqlite3, sys
with sqlite3.connect(sys.argv[1]) as base:
    base.execute("UPDATE runs SET seconds = 0.25")
    for number, title in ((6, "{b}: {k} in lower"), (7, "{b}{k} in lower"), (11, "x: {k} in lower"), (12, "{b}"), (13, "{b}: other in lower")):
        base.execute("UPDATE findings SET title = replace(replace(?, '{b}', backend), '{k}', kind) WHERE id = ?", (title, number))
END

# Removes what differs each time: folders, dates, ages, the version.
timeless() {
	sed -E "s#[^ \"]*tmp\.[A-Za-z0-9]{10}#TMP#g; s#$PWD#HERE#g; s/[0-9]{4}-[0-9]{2}-[0-9]{2}([T ][0-9:]{5,8}Z?)?/DAY/g; s/(DAY, )[0-9]+ [a-z]+/\1AGE/g; s/rulefuzz $version/rulefuzz/g; s/\"$version\"/\"\"/g"
}
said() { "$fuzz" "$@" 2>&1 | timeless | LC_ALL=C tr -d '\000'; }
listed() {
	said list --db "$tmp/db"
	COLUMNS=60 said list --db "$tmp/db" --json
}
golden "findings in a list" report/list.txt listed
each() { # each COMMAND NUMBER…
	command=$1
	shift
	for i; do said "$command" "$i" --db "$tmp/db"; done
}
golden "shown" report/show.txt each show 1 2 3 5 8
golden "explained" report/explained.txt each explain-finding 1 2 3 4 5 10 20
written() {
	"$fuzz" report --db "$tmp/db" --out "$tmp/report" >/dev/null 2>&1
	(cd "$tmp/report" && find . -type f | LC_ALL=C sort) | while read -r file; do
		echo "$(timeless <"$tmp/report/$file" | cksum) $file"
	done
	timeless <"$tmp/report/summary.md" | head -8
}
golden "reports" report/written.txt written
drawn() { # the first drawing, line by line
	timeless <"$tmp/report/report.html" | sed 's/></>\n</g' | awk '/<svg class=.model/ { on = 1 } on; on && /<.svg>/ { exit }'
}
golden "drawings" report/drawn.txt drawn
python3 - "$tmp/db" <<'END'
import sqlite3, sys
with sqlite3.connect(sys.argv[1]) as base:
    base.execute("UPDATE findings SET found = strftime('%Y-%m-%dT%H:%M:%SZ', 'now', '-3 days')")
END
on() { # on COLUMNS COMMAND…: with colours
	on_terminal "$1" "$fuzz" "$2" $3 --db "$tmp/db" --color=always | timeless | LC_ALL=C tr -d '\000'
}
on_terminals() {
	for columns in 120 70 45; do on $columns list ""; done
	on 80 show 2
	on 60 explain-finding 6
}
! has_terminals || golden "on terminals" report/terminal.txt on_terminals
echo "1..$n"
