#!/bin/sh
# A worker without a framework, for tests (docs/reference/worker-protocol.md has the protocol).   usage: fake.sh MODE [FILE]
# At the model with index 3, and in some modes 5, it does what MODE says; every other model agrees. The modes rejects,
# behind, fails, drags, shows, turns, causes and faults are about models of any index.
mode=$1 file=$2
case $mode in
dead)
	echo "ImportError: no framework here" >&2
	exit 1
	;;
fatal)
	echo '{"fatal":"the fake framework is not installed"}'
	exit 5
	;;
silent) exec sleep 1000 ;;
noise) echo "Welcome to the framework!" ;;
esac
forks=false
[ "$mode" != forks ] || forks=true
echo '{"ready":1,"forks":'$forks',"pid":'$$',"versions":{"fake":"1.0"}}'
say() { printf '{"id":%s,%s}\n' "$id" "$1"; }
stage() { say '"stage":"'"$1"'"'; }
answer() { say '"verdict":"'"$1"'"'"$2"',"times":{"reference":1,"compile":2,"run":3}'; }
error() { answer "$1" ',"error":{"type":"FakeError","message":"cannot lower shape ['"$id"', 4] at 0x7f'"$id"'","where":"fake.py:lower"}'; }
while IFS= read -r line; do
	id=${line#*\"id\":} id=${id%%,*}
	case $mode$line in unshown*'"do":"short"'*) # its scripts show nothing
		say '"script":""'
		continue
		;;
	unshown*'"do":"script"'*'"run":true'*)
		say '"script":"print(\"repro\")\n","shows":false'
		continue
		;;
	*'"do":"short"'*)
		say '"script":"print(\"short\")\n"'
		continue
		;;
	*'"do":"script"'*)
		say '"script":"print(\"repro\")\n"'
		continue
		;;
	esac
	case $mode$line in
	many*'"models":'*) # three models: one agrees, one is left, one differs by a target of its own
		say '"answers":[{"verdict":"ok","tiers":{}},{"verdict":"undecided"},{"verdict":"inconsistency","target":"b","first":{"api":"x","how":"shape"}}]'
		continue
		;;
	steady*'"models":'*) # takes longer for all than one step may
		for step in reference compile run; do stage $step && sleep 0.6; done
		say '"answers":[{"verdict":"ok"},{"verdict":"ok"},{"verdict":"unspecified"}]'
		continue
		;;
	fall*'"models":'*) say '"stage":"compile","target":"b"' && kill -SEGV $$ ;;
	esac
	stage reference
	hit=
	case $line in *'"index":3,'*) hit=3 ;; *'"index":5,'*) hit=5 ;; esac
	case $mode$hit in
	lie3) # claims that all is well, of what nobody asked, in words of no meaning
		printf '{"id":%s,"verdict":"ok","times":[],"differs":7,"target":{"x":1},"first":"no","tiers":3}\n' $((id + 1))
		say '"verdict":"ok\\u001b[31m","times":[],"differs":7,"target":{"x":1},"first":"no","tiers":3'
		continue
		;;
	chatter3) stage run && exec yes '{"id":'$id',"stage":"run"}' ;; # stages without an end
	hoard3) (trap "" TERM HUP; exec sleep 300) & stage run && echo $! >"$file" && exec sleep 300 ;; # a child that stays
	mute3) exec 1>&- && sleep 300 ;; # closes its pipe and lives
	numbers3) say '"died":{"signal":1e400,"status":-1e400}' && continue ;;
	slow*) sleep 0.1 ;;
	early3) kill -SEGV $$ ;;
	crash3) stage compile && kill -SEGV $$ ;;
	exit3) stage run && exit 7 ;;
	leave3) stage run && exit 0 ;;
	orphan3) # a child works on it and goes without a word, and its mother says nothing
		sh -c 'exit 0' &
		say '"stage":"run","pid":'$!
		wait $!
		continue
		;;
	child3) # a child works on it and dies, and its mother says so
		sh -c 'kill -SEGV $$' &
		say '"stage":"run","pid":'$!
		wait $! 2>/dev/null
		say '"died":{"signal":11}'
		continue
		;;
	flood3) stage run && exec yes '{"id":99999,"stage":"run"}' ;;
	noisy3) stage run && { yes >&2 & } && wait ;;
	hang3) stage run && exec sleep 1000 ;;
	memory3) stage run && exec sh -c 'x=$(head -c 200000000 /dev/zero | tr "\0" x); sleep 1000' ;;
	garble3) stage run && echo "Segment: not the protocol" && continue ;;
	stray3) echo '{"id":99999,"verdict":"error"}' ;;
	contains3) case $line in *"$file"*) stage compile && kill -SEGV $$ ;; esac ;; # FILE is a text of the model
	gate3) # waits, the first time, until it is killed or its input ends; FILE then has its number
		[ -e "$file" ] || {
			stage run
			echo $$ >"$file.new" && mv "$file.new" "$file"
			read -r line
			exit 0
		}
		;;
	once3) [ -e "$file" ] || { : >"$file" && stage run && kill -KILL $$; } ;;
	chatty3) head -c 1000000 /dev/zero | tr '\0' 'x' >&2 ;;
	error3 | error5 | unshown3 | unshown5) stage compile && error error && continue ;;
	tiers3 | tiers5) # two of several targets raise the same
		[ "$hit" = 3 ] && tier=a || tier=b
		stage compile && answer error ',"target":"'$tier'","error":{"type":"FakeError","message":"cannot lower","where":"fake.py:lower"}' && continue
		;;
	unsupported3 | unsupported5) stage compile && error unsupported && continue ;;
	unread*) answer unreadable && continue ;;
	causes*) # every model is an accepted invalid call of another API, and the reference names another function
		n=${line##*\"index\":} n=${n%%,*}
		answer accepts-invalid ',"node":0,"api":"fake.op'$n'","error":{"type":"E","message":"\"f'$n'\" refused"}' && continue
		;;
	faults*) # every model has a fault of its own, found in a tenth of a second
		n=${line##*\"index\":} n=${n%%,*}
		sleep 0.1 && stage compile && answer error ',"error":{"type":"E'$n'","message":"no","where":"fake.py:lower"}' && continue
		;;
	internal3) answer internal-error ',"error":{"type":"KeyError","message":"KeyError: x (oracle/check.py:7)"}' && continue ;;
	accepts3 | accepts5) answer accepts-invalid ',"node":0,"api":"fake.op","error":{"type":"E","message":"refused"}' && continue ;;
	invalid3) answer rejected ',"node":0,"api":"fake.op","error":{"type":"E","message":"refused"}' && continue ;;
	differ3 | differ5)
		answer inconsistency ',"differs":[],"first":{"id":1,"node":0,"api":"fake.op","how":"2 of 4 elements, first at [0]: 1.0 instead of '$id'"}'
		continue
		;;
	esac
	case $mode$line in # FILE is a text of the models that it is about, whatever their index
	rejects*"$file"*) stage compile && error unsupported && continue ;;
	shows*) # FILE: rules "TEXT TEXT:API:HOW;", of which the first whose texts the model has says what differs
		rest=$file found=
		while [ -n "$rest" ] && [ -z "$found" ]; do
			rule=${rest%%;*} rest=${rest#*;} found=${rule#*:}
			for text in ${rule%%:*}; do case $line in *"$text"*) ;; *) found= ;; esac done
		done
		[ -n "$found" ] && stage judge && answer inconsistency \
			',"differs":[],"first":{"id":1,"node":0,"api":"'"${found%%:*}"'","how":"'"${found#*:}"'"}' && continue
		;;
	excused*) # every model has excuses; with "audit", one of them with a sample
		case $line in *'"audit":true'*) sample=',"samples":{"rounding":{"tensor":1,"at":[0],"got":"1.5","want":"1.0"}}' ;; *) sample= ;; esac
		answer rounding ',"differs":[],"excuses":{"a":1,"b":1,"c":1,"d":1,"e":1,"f":1,"rounding":3}'$sample
		continue
		;;
	behind*"$file"*'"op":'*) stage compile && error unsupported && continue ;; # with a call behind it
	fails*"$file"*) stage compile && error error && continue ;;
	drags*"$file"*) sleep 0.1 && stage compile && error error && continue ;;
	turns*) # raises and agrees by turns; FILE is there in between
		if [ -e "$file" ]; then rm "$file"; else
			: >"$file" && stage compile && error error && continue
		fi
		;;
	esac
	stage compile
	answer ok ',"differs":[]'
done
