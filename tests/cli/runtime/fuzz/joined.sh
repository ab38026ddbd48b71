# rulefuzz run with several backends: neighbours that share an environment share a worker.
. tests/cli/tap.sh
fuzz=$BUILD/rulefuzz package=$tmp/package
mkdir -p "$package/rulefuzz/targets"
cp runtime/python/rulefuzz/worker.py "$package/rulefuzz"
for target in a:torch b:torch c:torch x:tensorflow y:tensorflow; do
	printf 'FRAMEWORK = "%s"\nREQUIRES = ("%s",)\n' "${target#*:}" "${target#*:}" >"$package/rulefuzz/targets/${target%:*}.py"
done
printf 'FRAMEWORK = "torch"\nREQUIRES = ("torch",)\nSCREEN = "none"\n' >"$package/rulefuzz/targets/looked.py"
printf 'FRAMEWORK = "torch"\nREQUIRES = ("torch",)\nBATCH = 4\nBEFORE = ("a", "b")\n' >"$package/rulefuzz/targets/slow.py"
printf 'FRAMEWORK = "torch"\nREQUIRES = ("torch",)\nBEFORE = ("a", "b")\n' >"$package/rulefuzz/targets/quick.py"
cat >"$tmp/python" <<END
#!/bin/sh
for word; do :; done
echo "\$word" >>"$tmp/asked"
exec sh "$(realpath tests/data/backends/fake.sh)" \${MODE:-ok}
END
chmod +x "$tmp/python"
are() { # are BACKENDS GROUPS [OPTION]: who asks what, each worker once
	: >"$tmp/asked"
	rm -rf "$tmp/db"*
	RULEFUZZ_PACKAGE=$package timeout 100 "$fuzz" run --backend "$1" ${3:-} --python "$tmp/python" --db "$tmp/db" --count 1 --seed 1 >"$tmp/said" 2>&1
	sort -u "$tmp/asked" >"$tmp/workers"
	check "$1: $2" sh -c "printf '%s\\n' $2 | sort | diff - '$tmp/workers' >&2"
}
# An error that two tiers of a run raise in one place is one finding.
MODE=tiers RULEFUZZ_PACKAGE=$package "$fuzz" run --backend a,b --python "$tmp/python" --db "$tmp/tiers" --count 8 --api torch.abs >"$tmp/said" 2>&1
check "tiers share an error" grep -q 'findings: 1 new, 1 duplicate; ' "$tmp/said"
are a a
are a,b a,b
are a,x 'a x'
are x,y,a x,y\ a
are a,x,b 'a x b'
are a,b,x,y,c a,b\ x,y\ c
are x,a,b,c x\ a,b,c
are a,looked,b 'a looked b'
are a,b,looked a,b\ looked
are c,x,y c\ x,y
# The tiers of a backend that compiles models together are added unless they are named.
are slow a,b,slow
cp "$tmp/said" "$tmp/speeds"
are x,slow x\ a,b,slow
are slow,c a,b,slow,c
are b,slow b,slow
are slow slow --no-tiers
are quick quick
check "a speed for each tier" grep -Eq '^  operators per CPU second: a [0-9.]+, b [0-9.]+, slow [0-9.]+$' "$tmp/speeds"
echo "1..$n"
