#!/bin/sh
# One version of two small APIs, as a live side of `rulesmith diff`: version.sh VERSION [API:FAULT]. FAULT is
# the deviation of this version's answers:
#   less, more, shape, dtype, elements, absent, other-words
#   dies, ends (the process itself, by one call)
#   half (no float16)
#   once (more, but not if the call is queried alone)
#   but=N,N,N,N (more, but not for these numbers if queried alone)
#   chance (more, until four calls were queried alone; needs VERSION_LOG)
# or a deviation of its signatures: gone, renamed, argument.
version=$1 api=${2%%:*} fault=${2#*:}
is() { [ "$fault" = "$1" ] && [ "$api" = "$2" ]; }
pass() { echo "${line%\}},\"outcome\":\"pass\",\"outputs\":[[[$1],\"$dtype\"]]}"; }
fail() { echo "${line%\}},\"outcome\":\"fail\",\"message\":\"ValueError: $1\"}"; }
narrow() {
	if [ "$2" -lt 0 ] || [ "$3" -lt 0 ]; then fail "start $2 and length $3 must not be negative"
	elif [ $(($2 + $3)) -gt "$1" ]; then fail "$2 + $3 is beyond $1"
	else pass "$3"; fi
}
pool() { # x, kernel, stride, padding
	if [ "$2" -le 0 ] || [ "$3" -le 0 ] || [ "$4" -lt 0 ] || [ $((2 * $4)) -gt "$2" ] || [ $(($1 + 2 * $4 - $2)) -lt 0 ]; then fail "bad window $2"
	else pass $((($1 + 2 * $4 - $2) / $3 + 1)); fi
}
answer() { # API, numbers
	name=$1 dtype=float32
	shift
	if is absent "$name"; then echo "${line%\}},\"outcome\":\"absent\",\"message\":\"AttributeError: no $name\"}"
	elif is ends "$name" && [ "$*" = "5 3 3 1" ]; then exit 1
	elif is dies "$name" && [ "$2" -gt 2 ]; then echo "${line%\}},\"outcome\":\"lost\",\"message\":\"killed by SIGSEGV\"}"
	elif is half "$name" && [ "${op%:float16*}" != "$op" ]; then fail "not implemented for Half"
	elif is elements "$name"; then echo "${line%\}},\"outcome\":\"mixed\",\"message\":\"it depends\"}"
	elif is less "$name" && [ "$2" -gt 2 ]; then fail "no $2 any more"
	elif is more "$name" && [ "$2" -gt "$1" ]; then pass 7
	elif is once "$name" && [ "$2" -gt "$1" ] && [ "${line#*alone}" = "$line" ]; then pass 7
	elif [ "${fault#but=}" != "$fault" ] && [ "$api" = "$name" ] && [ "$2" -gt "$1" ] \
		&& { [ "$(echo "$*" | tr ' ' ,)" != "${fault#but=}" ] || [ "${line#*alone}" = "$line" ]; }; then pass 7
	elif is chance "$name" && [ "$2" -gt "$1" ] && [ "$(grep alone "$VERSION_LOG" | grep -cF "\"in\":[$(echo "$*" | tr ' ' ,)]")" -lt 4 ]; then pass 7
	elif is other-words "$name" && [ "$2" -gt "$1" ]; then fail "in other words"
	elif is shape "$name" && [ "$2" -gt 0 ]; then pass 99
	elif is dtype "$name"; then dtype=float64 && "${name#t.}" "$@"
	else "${name#t.}" "$@"; fi
}
signature() { # API, arguments
	is renamed "$1" && set -- "$1" "$(echo "$2" | sed 's/"start"/"begin"/')"
	is argument "$1" && set -- "$1" "$2,\"out\""
	echo "{\"arguments\":[$2],\"overloads\":[\"($(echo "$2" | tr -d '"'))\"]}"
}
while read -r line; do
	case $line in
	'{"about"'*) [ -n "$version" ] && echo "{\"framework\":\"t\",\"versions\":{\"t\":\"$version\"}}" || echo '{"error":"what?"}' ;;
	'{"apis"'*) is gone t.narrow && echo '{"apis":["t.pool","t.young"]}' || echo '{"apis":["t.narrow","t.pool"]}' ;;
	'{"signature":"t.narrow"}') signature t.narrow '"x","start","length"' ;;
	'{"signature":"t.pool"}') signature t.pool '"x","kernel","stride","padding"' ;;
	'{"know"'*) echo '{"known":true}' ;;
	'{"op":"t.'*)
		numbers=${line#*\"in\":[}
		op=${line#*\"op\":\"}
		IFS=, # no process for a question
		# shellcheck disable=SC2086 # numbers between commas
		set -- ${numbers%%]*}
		unset IFS
		answer "${op%%-*}" "$@" ;;
	*) echo '{"error":"not a question"}' ;;
	esac
	[ -z "$VERSION_LOG" ] || echo "$line" >>"$VERSION_LOG"
done
