#!/bin/sh
# Completion has every command and option of a program's own tables; bash runs it.
BUILD=${BUILD:-build}
. tests/cli/tap.sh
check "is built" built -o "$BUILD/rulefuzz" "$BUILD/completion/rulefuzz.bash" "$BUILD/completion/rulefuzz.zsh"
list() { sed -n "s/^	$1) options='\(.*\)' ;;/\1/p" "$BUILD/completion/rulefuzz.bash" | tr ' ' '\n' | sort -u; } # list COMMAND
table() { grep -ohE '\{"[a-z-]+", (no|required|optional)_argument' "$@" | sed 's/{"\([^"]*\)".*/--\1/'; }
for source in runtime/cli/cmd_*.c; do
	command=$(basename "$source" .c | sed 's/^cmd_//; s/_/-/g')
	check "$command is a command" grep -qE "compgen -W '.*\\<$command\\>" "$BUILD/completion/rulefuzz.bash"
	{
		table "$source"
		! grep -q GEN_LONG_OPTIONS "$source" || table runtime/cli/gen_options.h
	} | sort -u >"$tmp/taken"
	list "$command" >"$tmp/offered"
	check "$command: every option of its table" sh -c "! comm -23 $tmp/taken $tmp/offered | grep . >&2"
done
for option in --nodes --invalid --rules --format; do
	check "zsh has gen $option" grep -qE "^gen\) .*'$option:" "$BUILD/completion/rulefuzz.zsh"
done
if command -v zsh >/dev/null; then check "zsh reads it" zsh -n "$BUILD/completion/rulefuzz.zsh"; else ok "zsh reads it # SKIP there is no zsh"; fi
try() { # try WORD…: the completions that bash offers
	PATH=$BUILD:$PATH bash -c '. "$1" && shift && COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) && _rulefuzz && printf "%s\n" "${COMPREPLY[@]}"' \
		bash "$BUILD/completion/rulefuzz.bash" rulefuzz "$@" | tr '\n' ' '
}
check "a command" [ "$(try rec)" = "recheck " ]
check "an option" [ "$(try gen --no)" = "--nodes " ]
check "a backend" [ "$(PATH=$PWD/$BUILD:$PATH try run --backend torch-in)" = "torch-inductor " ]
check "file names are left to the shell" [ "$(try eval some)" = " " ]
expect "program without help" 1 "completion: error: /bin/false  --help ended with 1" python3 packages/completion.py /bin/false bash
echo "1..$n"
