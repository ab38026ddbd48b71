#!/bin/sh
# Workers and oracles that lie, flood, stall, close their pipe or leave children behind: `run` ends with an intact
# database, reads only up to its limits, leaves no process behind, and prints no control sequences.
. tests/cli/tap.sh
fuzz=$BUILD/rulefuzz
if sanitized; then ok "workers that lie # SKIP a sanitizer has no bounds" && echo 1..1 && exit; fi
whole() { python3 -c 'import sqlite3, sys; sys.exit(sqlite3.connect(sys.argv[1]).execute("PRAGMA integrity_check").fetchone() != ("ok",))' "$1"; }
for mode in lie flood noisy chatter hoard mute numbers garble; do
	timeout 120 sh -c "ulimit -v 2097152; exec \"\$@\"" sh "$fuzz" run --backend fake --framework torch \
		--backend-command "sh tests/data/backends/fake.sh $mode $tmp/pid" --db "$tmp/$mode.db" --count 5 --timeout 1 --reduce-time 2 \
		--progress 0 >"$tmp/out" 2>"$tmp/err"
	code=$?
	check "$mode: the run ends ($code)" [ $code -eq 0 -o $code -eq 3 ]
	check "… its database is intact" whole "$tmp/$mode.db"
	check "… and no control sequence is printed" sh -c "! LC_ALL=C grep -q '$(printf '\033')' '$tmp/out' '$tmp/err'"
done
gone() { # dead, or a zombie
	for _ in 1 2 3 4 5; do
		case $(sed 's/.*) //' "/proc/$1/stat" 2>/dev/null) in '' | [ZX]*) return 0 ;; esac
		sleep 1
	done
	return 1
}
check "worker left a child behind" [ -s "$tmp/pid" ]
check "… which was killed" gone "$(cat "$tmp/pid")"

oracle() { # oracle DESCRIPTION PATTERN COMMAND: verify reports an error
	expect "an oracle that $1" 5 "$2" timeout 120 sh -c "ulimit -v 2097152; exec \"\$@\"" sh \
		"$fuzz" verify --framework torch --count 50 --op 'torch.add-0' --oracle "$3"
}
oracle "answers no JSON" 'error: .*not JSON' 'while read -r line; do echo "no; rm -rf /"; done'
oracle "answers with an endless line" 'error: .*has no line end' 'yes x | tr -d "\n"'
oracle "closes its pipe" 'error: the oracle (ended|was killed)' 'exec 1>&-; sleep 60'
oracle "returns an invalid outcome" 'error: .*no outcome' 'while read -r line; do echo "{\"outcome\":{\"pass\":1e400}}"; done'
check "oracle with invalid shapes" timeout 120 "$fuzz" verify --framework torch --count 50 --op 'torch.add-0' \
	--oracle 'while read -r line; do echo "{\"outcome\":\"pass\",\"out\":[1e400,\"x\",[[]],-9223372036854775809]}"; done'
echo "1..$n"
