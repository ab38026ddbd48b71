#!/bin/sh
# list, show, explain-finding and report only read: files and folders that nobody may write to, of this schema and of an older one.
. tests/cli/tap.sh
fuzz=$tmp/rulefuzz folder=$tmp/state
cp "$BUILD/rulefuzz" "$fuzz" && mkdir "$folder" "$tmp/reports" && chmod 755 "$tmp" && chmod 777 "$tmp/reports"
"$fuzz" run --backend fake --framework torch --backend-command 'sh tests/data/backends/fake.sh error' --db "$folder/new.db" --count 8 >"$tmp/shown" 2>&1
python3 -c 'import sqlite3, sys
sqlite3.connect(sys.argv[1]).executescript(open("tests/data/databases/version4.sql").read())' "$folder/old.db"
chmod 444 "$folder"/*.db && chmod 555 "$folder"
before=$(cksum "$folder"/*)
if [ "$(id -u)" -ne 0 ]; then
	reader() { "$@"; }
elif command -v setpriv >/dev/null; then # root may write anyway
	reader() { setpriv --reuid=65534 --regid=65534 --clear-groups "$@"; }
fi
if command -v reader >/dev/null && reader "$fuzz" --version >"$tmp/shown" 2>&1; then
	for db in new old; do
		reader "$fuzz" list --db "$folder/$db.db" >"$tmp/list"
		check "$db: list" grep -q ' open ' "$tmp/list"
		check "$db: show" reader "$fuzz" show 1 --db "$folder/$db.db"
		check "$db: explain-finding" reader "$fuzz" explain-finding 1 --db "$folder/$db.db"
		check "$db: report" reader "$fuzz" report --db "$folder/$db.db" --out "$tmp/reports/$db"
		expect "$db: mark is an error" 1 'readonly database' reader "$fuzz" mark 1 known --db "$folder/$db.db"
	done
	check "nothing is written, and nothing is left beside them" [ "$before" = "$(cksum "$folder"/*)" ]
else
	skip "as another user" "this user cannot become another, or the program cannot be read by it"
fi
chmod 755 "$folder"
check "an older database that may be written to stays as it is, too" sh -c \
	"'$fuzz' list --db '$folder/old.db' && python3 -c 'import sqlite3, sys
assert sqlite3.connect(sys.argv[1]).execute(\"PRAGMA user_version\").fetchone() == (4,)' '$folder/old.db'"
echo "1..$n"
