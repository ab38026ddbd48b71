# rulesmith holdout: cross-validation, and its figures as JSON.
. tests/cli/tap.sh
smith=$BUILD/rulesmith
says() { # says WHAT FILE PATTERN…: for each pattern a line of the file matches
	what=$1 file=$2
	shift 2
	for pattern; do
		grep -qE -- "$pattern" "$file" && continue
		not_ok "$what (wanted /$pattern/)"
		sed 's/^/# /' "$file" | head -20
		return
	done
	ok "$what"
}
"$smith" holdout --traces tests/data/records --folds 4 --json "$tmp/all.json" >"$tmp/said" 2>"$tmp/progress"
says "held-out passing records are predicted" "$tmp/said" '^total of 4 of 4 folds, m: .*right output (9[5-9]|100)'
says "held-out failing records are rejected" "$tmp/said" '^total.*rejected records that the rule rejects (9[5-9]|100)'
says "each fold has a line" "$tmp/said" '^fold 0 of 4, m: accepted' '^fold 3 of 4, m: accepted'
says "each fold is announced" "$tmp/progress" '^holdout: fold 3 of 4: 10 signatures read' '^holdout: fold 3 of 4: done'
says "an operator without a rule counts as wrong only among all operators" "$tmp/said" \
	'held-out record: with a rule 100.00 % \(([0-9]+) of \1\), all 9[0-9.]+ %'
says "an operator is right in all folds or counts as wrong" "$tmp/said" 'signatures right in every fold: all 90.00 % \(9 of 10\)'
says "the same as JSON" "$tmp/all.json" '^\{"schema":1,"folds":4,"folds_run":4,.*\}\}$' \
	'"frameworks":\{"m":\{"by_fold":\[\{"fold":0,' '"failing":\{"part":827,"whole":827,"percent":100.00\}' \
	'"right_in_every_fold":\{"part":9,"whole":10,"percent":90.00\}'
"$smith" holdout --traces tests/data/records --folds 4 --first 1 --json "$tmp/first.json" >"$tmp/said" 2>&1
"$smith" holdout --traces tests/data/records --folds 4 --only 0 --json "$tmp/only.json" >/dev/null 2>&1
says "the first fold alone" "$tmp/first.json" '"folds":4,"folds_run":1,'
for f in first only; do sed 's/"wall_seconds":[0-9.]*//' "$tmp/$f.json" >"$tmp/$f"; done
check "… is fold 0" cmp "$tmp/first" "$tmp/only"
expect "holdout: a bad number of folds" 2 'bad option' "$smith" holdout --traces x --folds 1
expect "holdout: more folds than the maximum" 2 'bad option' "$smith" holdout --traces x --folds 4 --first 5
"$smith" holdout --help --nonsense >"$tmp/help" 2>&1
check "--help wins over later arguments" test $? -eq 0
says "… is printed" "$tmp/help" '^usage: rulesmith holdout'
expect "holdout without records" 1 "no signature matches 'nothing'" "$smith" holdout --traces tests/data/records --op nothing
expect "holdout: unwritable JSON" 1 'error: ' \
	"$smith" holdout --traces tests/data/records --only 0 --op m.identity-0 --json "$tmp/none/x.json"
