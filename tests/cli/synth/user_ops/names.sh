# rulesmith learn: valid function names, and the contents of the folder's list of functions. Nothing is written
# for an invalid name.
. tests/cli/tap.sh
smith=$(realpath "$BUILD/rulesmith")
learn() { "$smith" learn "$@" --framework torch --python /bin/false; }
long=$(head -c 300 /dev/zero | tr '\0' f) most=m:$(head -c 253 /dev/zero | tr '\0' f)
for name in '' f m: :f : m:f:g m:f.g 1m:f m.:f .m:f m..n:f m:1f m-n:f 'm f:g' m:f- _m:f m._n:f m:_f "$long:f" "m:$long" "${most}f"; do
	expect "'$(printf %.20s "$name")' is no function" 2 "^rulesmith learn: error: expected PACKAGE.MODULE:FUNCTION without leading underscores, got '.*'" learn "$name" --out "$tmp/none"
	check "… and nothing is written" test ! -e "$tmp/none"
done
for name in m:f m.n:f m2.n_3:f_4 "$most"; do # until the first step, since /bin/false is no Python
	expect "'$(printf %.20s "$name")' is one" 1 "^rulesmith learn: error: step collect of $(echo "$name" | tr : .) failed with exit code 1" learn "$name" --out "$tmp/$(printf %.5s "$name")"
	check "… and listed" grep -qx "torch	$name" "$tmp/$(printf %.5s "$name")/functions"
done

expect "another function of the folder" 1 'step collect of m.g failed' learn m:g --out "$tmp/m:f"
expect "… that is known" 1 'step collect of m.g failed' learn m:g --out "$tmp/m:f"
check "each is listed once, in order" sh -c "printf 'torch\tm:f\ntorch\tm:g\n' | cmp - '$tmp/m:f/functions'"
bad() { # bad WHAT LINE TEXT…: a list of these lines
	what=$1 line=$2
	shift 2
	printf '%b\n' "$@" >"$tmp/m:f/functions"
	cp "$tmp/m:f/functions" "$tmp/before"
	expect "a list with $what" 1 "functions:$line: error: expected a framework, a tab and PACKAGE.MODULE:FUNCTION" learn m:h --out "$tmp/m:f"
	check "… stays as it is" cmp "$tmp/before" "$tmp/m:f/functions"
}
bad 'no tab' 1 'torch m:f'
bad 'no function' 2 'torch\tm:f' 'torch\tm.f'
bad 'an empty line before that' 3 'torch\tm:f' '' 'torch\t'
bad 'two tabs' 1 'torch\t\tm:f'
printf 'jax\tm:f\n' >"$tmp/m:f/functions"
expect "a folder of another framework" 1 'functions:1: error: this folder holds functions of jax, not of torch; name another one with --out' learn m:f --out "$tmp/m:f"
rm "$tmp/m:f/functions" && mkdir "$tmp/m:f/functions"
expect "a folder for the list" 1 'functions' learn m:f --out "$tmp/m:f"
: >"$tmp/file"
expect "a file in place of the folder" 1 'file' learn m:f --out "$tmp/file"
expect "a file above the folder" 1 'file' learn m:f --out "$tmp/file/below"
expect "a folder whose name is too long" 1 'error' learn m:f --out "$tmp/$long"
expect "no such Python" 1 "cannot run $tmp/no: No such file" "$smith" learn m:f --framework torch --python "$tmp/no" --out "$tmp/other"
echo "1..$n"
