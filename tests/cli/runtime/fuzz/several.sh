#!/bin/sh
# rulefuzz run with a target that takes models three at a time, by a worker without a framework (tests/data/backends/fake.sh,
# "many"): of each three one agrees, one is left open and asked about alone, one differs and does not when it is asked again.
. tests/cli/tap.sh
fuzz=$BUILD/rulefuzz package=$tmp/package
mkdir -p "$package/rulefuzz/targets"
cp runtime/python/rulefuzz/worker.py "$package/rulefuzz"
printf 'FRAMEWORK = "torch"\nREQUIRES = ("torch",)\nBATCH = 3\n' >"$package/rulefuzz/targets/several.py"
for mode in many fall; do
	printf '#!/bin/sh\nexec sh "%s" %s\n' "$(realpath tests/data/backends/fake.sh)" $mode >"$tmp/$mode"
	chmod +x "$tmp/$mode"
done
run() { # run MODE DATABASE COUNT
	RULEFUZZ_PACKAGE=$package "$fuzz" run --backend several --python "$tmp/$1" --db "$tmp/$2" --count "$3" --seed 1 --verbose
}
says() { check "$1" grep -qE -- "$2" "$tmp/said"; }

check "nine models" run many nine 9
cp "$tmp/out" "$tmp/said"
says "… are all asked about" '^several: 9 models .*, next model 9, done$'
says "… of each three one differs" '; compared 9: 6 agree, 3 inconsistent$'
says "… and not again" '^  findings: 0 new, 3 of 3 candidates did not reproduce'
check "… by one worker" sh -c '! grep -q "worker restarts" "$1"' - "$tmp/said"
check "eight" run many eight 8
cp "$tmp/out" "$tmp/said"
says "… two are left for the last time" '; compared 8: 6 agree, 2 inconsistent$'
check "a worker that falls over all three" run fall falls 6
cp "$tmp/out" "$tmp/said"
says "… is started again, and each is asked about alone" '; compared 6: 6 agree'
says "… each time" '^  worker restarts: 2$'
echo "1..$n"
