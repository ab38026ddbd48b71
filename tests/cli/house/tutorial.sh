# tests/tutorial.sh runs the blocks of a page one after the other and ends at the first command that fails.
. tests/cli/tap.sh
page() { # page COMMAND…: each a block
	for command; do printf '```sh\n%b\n```\n' "$command"; done >"$tmp/page.md"
	tests/tutorial.sh "$tmp/page.md" >"$tmp/said" 2>&1
}
says() { grep -qF -- "$1" "$tmp/said"; }
check "all blocks of a page" page "one=1" "test \"\$one\" = 1\ncd /" "test -e tests/tutorial.sh"
check "… are counted" says "all 3 blocks ran"
page true 'false\ntrue' true
check "… it ends there" test $? -ne 0
check "… and says where" says "block 2 of 3 failed"
page "no-such-command-$$\necho never"
check "nor one that is not there" test $? -eq 127
check "… what is behind it does not run" sh -c "! grep -q '^never' '$tmp/said'"
page "echo text | grep -q other\ntrue"
check "nor a pipe whose end fails" test $? -ne 0
TUTORIAL_LIMIT=0 page "sleep 1" true
check "no script within the limit" test $? -eq 1
check "… is reported" says "no script within 0 s"
TUTORIAL_LIMIT=60 page "true" true
check "a page within the limit passes" test $? -eq 0
echo "1..$n"
