#!/bin/sh
# The manual pages of both programs, made from --help: they have exactly its commands and options.
BUILD=${BUILD:-build}
. tests/cli/tap.sh
rm -f "$BUILD/man/rulefuzz.1" "$BUILD/man/rulesmith.1"
check "pages are built" built -o "$BUILD/rulefuzz" -o "$BUILD/rulesmith" "$BUILD/man/rulefuzz.1" "$BUILD/man/rulesmith.1"
section() { # section PROGRAM COMMAND: its section of the page; roff escapes hyphens
	sed 's/\\-/-/g' "$BUILD/man/$1.1" | sed -n "/^.SS $1 $2\$/,/^.S[SH] /p"
}
options() { grep -oE -- '--[a-z][a-z-]*' | sort -u; }
for program in rulefuzz rulesmith; do
	commands=$("$BUILD/$program" --help | sed -n 's/^  \([a-z][a-z-]*\) .*/\1/p')
	sed -n "s/^.SS $program //p" "$BUILD/man/$program.1" | sed 's/\\-/-/g' >"$tmp/sections"
	printf '%s\n' $commands >"$tmp/commands"
	check "$program: one section per command" diff "$tmp/commands" "$tmp/sections"
	for command in $commands; do
		"$BUILD/$program" "$command" --help | options >"$tmp/help"
		section "$program" "$command" | options >"$tmp/page"
		check "$program $command: exactly the options of --help" diff "$tmp/help" "$tmp/page"
	done
	check "$program: its exit codes" grep -q '^.SH EXIT STATUS' "$BUILD/man/$program.1"
	if command -v groff >/dev/null; then
		check "$program: groff without warnings" sh -c "groff -man -ww -z '$BUILD/man/$program.1' 2>&1 | grep . >&2; [ \$? -eq 1 ]"
	else
		ok "$program: roff # SKIP there is no groff"
	fi
done
check "an option of gen has its text" sh -c "sed 's/\\\\-/-/g' '$BUILD/man/rulefuzz.1' | grep -A1 '^.fB--seed S' | grep -q 'random seed'"
expect "a program without help" 1 "completion: error: /bin/false  --help ended with 1" python3 packages/command_manual.py /bin/false
python3 packages/manual.py >"$tmp/page"
check "the fields of rs_features are those of the table" grep -qE 'uint32_t wide_integers; /\* fraction of integer inputs' "$tmp/page"
echo "1..$n"
