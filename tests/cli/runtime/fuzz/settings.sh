# Settings of a target: drawn for a share of the models, kept in findings, reduced to those that matter.
. tests/cli/tap.sh
fuzz=$BUILD/rulefuzz db=$tmp/db package=$tmp/package
mkdir -p "$package/rulefuzz/targets" "$package/rulefuzz/settings"
: >"$package/rulefuzz/worker.py"
printf '"""A target whose bug needs a setting."""\nFRAMEWORK = "torch"\n' >"$package/rulefuzz/targets/faulty.py"
cat >"$package/rulefuzz/settings/faulty.py" <<'EOF'
SETTINGS = {
    "threads": ("1", "2", "4"),
    "mode": ("plain", "fast"),
    "session.arena": ("1", "0"),
    "alone": ("x",),
}
EOF
run() { # run TEXT OPTION…: models with this text fail
	printf '#!/bin/sh\nexec sh "%s" fails "%s"\n' "$PWD/tests/data/backends/fake.sh" "$(echo "$1" | sed 's/"/\\"/g')" >"$tmp/python"
	chmod +x "$tmp/python"
	shift
	RULEFUZZ_PACKAGE=$package "$fuzz" run --backend faulty --python "$tmp/python" --db "$db" --probe 0 --count 60 --seed 1 --invalid 0 "$@"
}
settings() { # settings COLUMN: the settings of the first finding's model
	python3 -c 'import json, sqlite3, sys
text, = sqlite3.connect(sys.argv[1]).execute(f"SELECT {sys.argv[2]} FROM findings WHERE id = 1").fetchone()
print(json.dumps(json.loads(text).get("settings")))' "$db" "$1"
}
fresh() { rm -f "$db" "$db"-*; }
saved() { grep -l -- "$1" "$tmp"/models/*.json | wc -l; }

expect "a bug that needs one setting" 3 'new finding 1: faulty: ' run '"threads":"2"'
check "reduction keeps exactly that one" [ "$(settings model)" = '{"threads": "2"}' ]
"$fuzz" show 1 --db "$db" >"$tmp/page" 2>&1
check "which the page shows" grep -q '^ *# settings of the target: threads = 2$' "$tmp/page"
check "the search repeats" [ -n "$(settings original)" ]
cp "$db" "$tmp/first" && before=$(settings original)
fresh
run '"threads":"2"' >/dev/null 2>&1
check "with the same settings" [ "$(settings original)" = "$before" ]

fresh
expect "a bug that needs two" 3 'new finding 1' run '"mode":"fast","session.arena":"0"' --settings 1
check "keeps both" [ "$(settings model)" = '{"mode": "fast", "session.arena": "0"}' ]

fresh
expect "a bug that needs none" 3 'new finding 1' run '"op":' --settings 1 --api torch.abs
check "has some at first" [ "$(settings original)" != null ]
check "keeps none" [ "$(settings model)" = null ]

fresh
run nothing --settings 0 --save-models "$tmp/models" >/dev/null 2>&1
check "a share of 0" [ "$(saved '"settings"')" = 0 ]
fresh
run nothing --settings 1 --save-models "$tmp/models" >/dev/null 2>&1
check "a share of 1" [ "$(saved '"settings"')" = 60 ]
for text in '"threads":"2"' '"threads":"4"' '"mode":"fast"' '"session.arena":"0"'; do
	check "has $text" [ "$(saved "$text")" -gt 5 ]
done
check "no default, and no setting with one value" [ "$(saved '"threads":"1"\|"plain"\|"alone"')" = 0 ]
expect "a bad share" 2 '--settings: expected a fraction from 0 to 1' run nothing --settings 2
echo "1..$n"
