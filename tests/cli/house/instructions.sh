# tests/bench/instructions.sh, with a valgrind that returns the count it is given: figures within 3 % pass.
. tests/cli/tap.sh
mkdir "$tmp/bin" "$tmp/build"
cat >"$tmp/bin/valgrind" <<'SH'
#!/bin/sh
for word; do case $word in --callgrind-out-file=*) printf 'summary: %s\n' "$COUNT" >"${word#*=}" ;; esac; done
[ "$COUNT" != none ]
SH
printf '#!/bin/sh\nexec "$@"\n' >"$tmp/bin/setarch"
sed -i 's/exec "$@"/shift; exec "$@"/' "$tmp/bin/setarch"
printf '#!/bin/sh\necho line\n' >"$tmp/build/bench_eval_lines"
chmod +x "$tmp/bin/valgrind" "$tmp/bin/setarch" "$tmp/build/bench_eval_lines"
guard() { # guard COUNT PART…
	counted=$1
	shift
	PATH=$tmp/bin:$PATH COUNT=$counted FIGURES=$tmp/figures sh tests/bench/instructions.sh "$tmp/build" "$@"
}
printf 'evaluation\t1000000\nsynthesis\t5\n' >"$tmp/figures"
check "the recorded count" guard 1000000 evaluation
check "3 % more" guard 1030000 evaluation
check "3 % less" guard 970000 evaluation
expect "4 % more" 1 'evaluation: \+4\.0 % instructions, more than 3 %; if intended: make perf UPDATE=1' guard 1040000 evaluation
expect "4 % less" 1 'evaluation: -4\.0 % instructions' guard 960000 evaluation
expect "a part without a figure" 1 'generation: \+100\.0 %' guard 10 generation
expect "an unknown part" 2 "no part 'speed'" guard 10 speed
expect "a program that fails" 1 'error: failed: .*rulefuzz eval' guard none evaluation
update() { UPDATE=1 guard "$@"; }
check "UPDATE=1 writes figures" update 20 generation evaluation
printf 'evaluation\t20\ngeneration\t40\nsynthesis\t5\n' >"$tmp/wanted"
check "… of these parts only; commands of a part are added up" cmp "$tmp/wanted" "$tmp/figures"
check "… which then pass" guard 20 generation evaluation
check "each part has a committed figure" test "$(grep -cE '^(evaluation|generation|synthesis)	[0-9]{8,}$' tests/bench/instructions.tsv)" -eq 3
echo "1..$n"
