#!/bin/sh
# Each row of runtime/include/modelfeatures.h is an option of the commands, with help, a default in `run`, and a setting.
. tests/cli/tap.sh
fuzz=$BUILD/rulefuzz
rows=$(tr -d '\\\n' <runtime/include/modelfeatures.h | grep -o 'FEATURE([a-z_]*, "[a-z-]*", [A-Z]*, [0-9]*' | sed 's/FEATURE(//; s/[",]//g')
check "the table has rows" [ "$(echo "$rows" | wc -l)" -ge 10 ]
"$fuzz" gen --help >"$tmp/gen"
"$fuzz" run --help >"$tmp/run"
"$fuzz" run --backend fake --framework torch --backend-command "sh tests/data/backends/fake.sh ok" --db "$tmp/db" --count 1 --json >"$tmp/torch"
"$fuzz" run --backend fake --framework onnx --backend-command "sh tests/data/backends/fake.sh ok" --db "$tmp/db" --count 1 --json >"$tmp/onnx"
echo "$rows" >"$tmp/rows"
while read -r field option needs run; do
	case $needs in FILES) yes=onnx no=torch ;; *) yes=torch no=onnx ;; esac
	check "$option: help" grep -qE -- "^  --$option R  +fraction of " "$tmp/gen" "$tmp/run"
	check "$option: an option" "$fuzz" gen --framework $yes --count 1 --nodes 1 --format none "--$option" 0.5
	expect "$option: a bad value" 2 "--$option: expected a fraction from 0 to 1, got '7'" "$fuzz" gen "--$option" 7
	check "$option: a setting with its default" grep -q "\"$option\":\"$run\"" $tmp/$yes
	[ "$needs" = NOTHING ] || {
		expect "$option: not for $no" 2 "--$option.* need a framework whose .*; $no has none" "$fuzz" gen --framework $no "--$option" 1
		check "$option: no default for $no" grep -q "\"$option\":\"default\"" $tmp/$no
	}
done <"$tmp/rows"
echo "1..$n"
