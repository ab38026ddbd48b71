#!/bin/sh
# An oracle that knows the true rules of two small APIs: fake.sh RECORDS [DIES]. DIES is a number N: it exits
# before it answers its N-th line, after every start; or an API: it exits when queried about that API. It writes
# records as their files have them: one operator per line, "pass" and "fail" last.
folder=$1 dies=${2:-0} lines=0 new=
pass() { echo "${line%\}},\"outcome\":\"pass\",\"out\":[$1]}"; }
fail() { echo "${line%\}},\"outcome\":\"fail\"}"; }
narrow() { if [ "$2" -ge 0 ] && [ "$3" -ge 0 ] && [ $(($2 + $3)) -le "$1" ]; then pass "$3"; else fail; fi; }
pool() { # x, kernel, stride, padding
	if [ "$2" -le 0 ] || [ "$3" -le 0 ] || [ "$4" -lt 0 ] || [ $((2 * $4)) -gt "$2" ] || [ $(($1 + 2 * $4 - $2)) -lt 0 ]; then fail
	else pass $((($1 + 2 * $4 - $2) / $3 + 1)); fi
}
inside() { # inside KEY: what stands in that list of lists, the last one of a line if it is "fail"
	case $1 in
	pass) list=${2#*\"pass\":[} && echo "${list%%],\"fail\"*}" ;;
	fail) list=${2#*\"fail\":[} && echo "${list%]*}" ;;
	esac
}
join() { if [ -n "$1" ] && [ -n "$2" ]; then echo "$1,$2"; else echo "$1$2"; fi; }
while read -r line; do
	lines=$((lines + 1))
	case $dies in
	t.*) case $line in *"$dies"*) exit 5 ;; esac ;;
	*) [ "$lines" -eq "$dies" ] && exit 1 ;;
	esac
	case $line in
	'{"op":'*)
		numbers=${line#*\"in\":[}
		IFS=, # no process for a question: a test asks thousands
		# shellcheck disable=SC2086 # numbers between commas
		set -- ${numbers%%]*}
		unset IFS
		case $line in
		*'"t.narrow-0"'*) narrow "$@" ;;
		*'"t.pool-0"'*) pool "$@" ;;
		*) echo '{"error":"unknown operator"}' ;;
		esac ;;
	'{"keep":'*)
		api=${line#*:\"} && api=${api%%-*}
		[ -f "$folder/$api.new" ] || cp "$folder/$api.jsonl" "$folder/$api.new"
		old=$(cat "$folder/$api.new")
		printf '%s"pass":[%s],"fail":[%s]}\n' "${old%%\"pass\":*}" "$(join "$(inside pass "$old")" "$(inside pass "$line")")" \
			"$(join "$(inside fail "$old")" "$(inside fail "$line")")" >"$folder/$api.new"
		new="$new $api"
		echo '{"kept":1}' ;;
	'{"save":true}')
		for api in $new; do [ -f "$folder/$api.new" ] && mv "$folder/$api.new" "$folder/$api.jsonl"; done
		echo '{"saved":1}' ;;
	*) echo '{"error":"not a question"}' ;;
	esac
done
for api in $new; do rm -f "$folder/$api.new"; done # its own: another may be at work beside it
