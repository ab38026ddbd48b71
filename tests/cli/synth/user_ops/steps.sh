# rulesmith learn with a fake Python, of a function that no rule explains: it reports so, and each step got the
# requested options.
. tests/cli/tap.sh
smith=$(realpath "$BUILD/rulesmith")
export CC="${CC:-cc}" RULEFUZZ_OWN=

# The output has no law in its input. Each program that is started leaves a line of its words.
cat >"$tmp/python" <<END
#!/bin/sh
[ "\$2" = traces.collect.user_ops.resident ] && exit 1
[ "\$2" = traces.collect.user_ops.visit ] && shift 3
echo "\$*" >>"$tmp/words"
case \$1 in
traces.collect.user_ops)
	printf '%s' '{"framework":"torch","op":"t.odd-0","api":"t.odd","version":"1","args":[{"name":"x","pos":true,"value":' \
		'{"tensor":["s0"],"dtype":"float32"}}],"outputs":[{"tensor":["o0"],"dtype":"float32"}],"pass":' \
		'[[[2],[911]],[[3],[17]],[[4],[402]],[[5],[31]],[[6],[888]],[[7],[90]],[[8],[5]],[[9],[623]],[[10],[44]],[[11],[707]]],"fail":[]}' \
		>"\$5/t.odd.jsonl" && echo >>"\$5/t.odd.jsonl" ;;
traces.collect.cli.values) printf 'op\taccepts\tgives\n' >"\$4/VALUES.tsv" ;;
traces.collect.cli.ask) exec sed -u 's/}\$/,"outcome":"lost"}/' ;;
esac
END
chmod +x "$tmp/python"
learn() { "$smith" learn t:odd --framework torch --python "$tmp/python" --out "$tmp/own" "$@"; }
steps() { ls "$tmp/own/steps" | sed 's/^t.odd-[0-9]*-//; s/\.step$//' | tr '\n' ' '; }
gave() { grep -qxF -- "$1" "$tmp/words"; }

: >"$tmp/calls.jsonl"
expect "no rule explains it" 1 't\.odd has no rule; the page above says why' learn --rounds 0 --seed 7 --elements small \
	--call 't(x: f32[2])' --call 't(x: f32[3])' --calls "$tmp/calls.jsonl"
cp "$tmp/out" "$tmp/page"
check "its page states why" grep -qF -- '  -0: no expression within the budget gives every recorded output' "$tmp/page"
check "without rounds it queries nothing" test "$(steps)" = "collect synth solved values emit compile "
cp "$tmp/words" "$tmp/kept"
check "the calls, elements and seed are passed on" gave \
	"traces.collect.user_ops torch t:odd --out $tmp/own/traces --work $tmp/own/work --seed 7 --elements small --call t(x: f32[2]) --call t(x: f32[3]) --calls $tmp/calls.jsonl"
expect "a second run has nothing to do, and prints the same" 1 't\.odd has no rule; the page above says why' learn --rounds 0 --seed 7 \
	--elements small --call 't(x: f32[2])' --call 't(x: f32[3])' --calls "$tmp/calls.jsonl"
check "… and starts no step" cmp "$tmp/words" "$tmp/kept"
rm -r "$tmp/own"
expect "with rounds" 1 't\.odd has no rule; the page above says why' learn --rounds 3
check "… one is enough if nothing is found" test "$(steps)" = "collect refine synth solved synth solved values emit compile "
echo "1..$n"
