#!/bin/sh
# rulefuzz verify --cross-check, on a table written by hand and an oracle of second opinions by awk.
. tests/cli/tap.sh
fuzz=$BUILD/rulefuzz
check "the rules compile" ${CC:-cc} -std=gnu11 -Wall -Wextra -Werror -O1 -fPIC -shared -iquote runtime/include \
	tests/data/rules/verify_table.c -o "$tmp/rules.so"
cat >"$tmp/oracle" <<'EOF'
n=0
while read -r line; do
	start=${line%\}}
	case $line in
	*'"confirm"'*'said it'*) echo '{"script":"print(1)","tiers":["fake","aot"]}' ;;
	*'"confirm"'*) echo '{"script":"print(2)","tiers":[]}' ;;
	*'"fail"'*) echo "$start,\"in\":[1,2],\"opinions\":[{\"outcome\":\"noise\",\"what\":\"index\"}]}" ;;
	*t.loose*) n=$((n + 1)) && echo "$start,\"opinions\":[{\"outcome\":\"differs\",\"what\":\"accepts\",\"live\":\"raises E: size $n of 3\",\"said\":\"said it\",\"form\":\"\"}]}" ;;
	*t.strict*) echo "$start,\"opinions\":[{\"outcome\":\"differs\",\"what\":\"shape\",\"live\":\"[1]\",\"said\":\"[2]\",\"form\":\"t.other\"}]}" ;;
	*) echo "$start,\"opinions\":[{\"outcome\":\"same\"}]}" ;;
	esac
done
EOF
run() { "$fuzz" verify --cross-check fake --rules "$tmp/rules.so" --framework t --oracle "sh $tmp/oracle" --count 60 --time 20s "$@"; }
ends() { # ends CODE COMMAND…
	wanted=$1
	shift
	"$@" >"$tmp/out" 2>&1
	[ $? -eq "$wanted" ]
}
check "a confirmed difference: exit code 3" ends 3 run
run >"$tmp/text"
check "one line for one cause, whatever its numbers" test "$(grep -c 't.loose-0' "$tmp/text")" -eq 1
check "… its tiers" grep -Eq '^ +[0-9]+  accepts  fake aot ' "$tmp/text"
check "… what was not confirmed says so" grep -Eq 'shape    not confirmed +t.strict-0 as t.other' "$tmp/text"
check "noise is counted by its row" grep -Eq '^excluded as noise: index [0-9]+$' "$tmp/text"
check "the most frequent comes first" sh -c "grep -E '^ +[0-9]+  (accepts|shape)' $tmp/text | awk '{ if (NR > 1 && \$1 > last) exit 1; last = \$1 }'"
check "the same seed, the same report" sh -c "[ \"\$(sed -n 2,9p $tmp/text | cksum)\" = \"\$($fuzz verify --cross-check fake --rules $tmp/rules.so --framework t --oracle 'sh $tmp/oracle' --count 60 --time 20s | sed -n 2,9p | cksum)\" ]"
run --scripts "$tmp/scripts" >"$tmp/text"
check "scripts of what is confirmed, and no other" sh -c "ls $tmp/scripts | grep -Eqx 'fake-t.loose-accepts-[0-9]+.py' && [ \$(ls $tmp/scripts | wc -l) -eq 1 ]"
run --json >"$tmp/json"
check "JSON" grep -Eq '^\{"schema":1,"cross_check":"fake",.*"groups":\[\{"count":.*"tiers":"fake aot"' "$tmp/json"
check "only some APIs: exit code 0" ends 0 run --api 't.good'
expect "none of them" 2 "no API of t matches 'nothing'; try" run --api 'nothing'
expect "a misspelt API" 2 "no API of t matches 't.lose'; did you mean t.loose[?]$" run --api t.lose
expect "an oracle that dies" 5 'cannot start' "$fuzz" verify --cross-check fake --rules "$tmp/rules.so" --framework t --oracle 'exit 5' --time 5s
expect "no such kind" 2 "--cross-check: unknown kind 'nonsense'; .rulefuzz verify --cross-check list. prints all" "$fuzz" verify --cross-check nonsense
expect "another framework's" 2 "--cross-check tf-graph needs --framework tensorflow, got 'torch'" "$fuzz" verify --cross-check tf-graph --framework torch
expect "options of the other mode" 2 'do not work with --cross-check' "$fuzz" verify --cross-check fake --keep
expect "and of this" 2 'need --cross-check' "$fuzz" verify --api x
expect "… also its time" 2 'need --cross-check' "$fuzz" verify --time 5s
expect "no time" 2 "^rulefuzz verify: error: --time: expected a duration > 0 such as 90s or 10m, got '0'; try" "$fuzz" verify --cross-check fake --time 0
expect "a misspelt kind" 2 "unknown kind 'metta'; did you mean meta[?]$" "$fuzz" verify --cross-check metta
check "the kinds" sh -c "'$fuzz' verify --cross-check list | grep -qE '^inductor +torch$'"
expect "the old name" 2 '^rulefuzz verify: error: --against was renamed to --cross-check$' "$fuzz" verify --against fake
echo "1..$n"
