# README shows the beginning of a rule's page as it is in generated/. UPDATE=1 copies it there anew.
. tests/cli/tap.sh
command -v python3 >/dev/null || {
	skip "README's rule" "no python3"
	exit 0
}

cat >"$tmp/excerpt.py" <<'PY'
"""Compares the rule in README with its page; with a third argument, writes README with the page's text.

usage: excerpt.py README TREE [OUT]"""

import pathlib
import re
import sys

readme = pathlib.Path(sys.argv[1]).read_text()
found = re.search(r'<!-- rule: (\S+), to "([^"]+)" -->\n+```text\n(.*?)```\n', readme, re.S)
if not found:
    sys.exit(f"{sys.argv[1]}: no rule")
lines = (pathlib.Path(sys.argv[2]) / found[1]).read_text().splitlines()
page = []
for line in lines[1:]:
    if found[2] in line or line.strip() == "*/":
        break
    page.append(line.removeprefix("/* ").removeprefix(" *").removeprefix(" ").rstrip())
else:
    sys.exit(f"{found[1]}: no {found[2]!r}")
text = "\n".join(page).strip("\n") + "\n"
if len(sys.argv) > 3:
    pathlib.Path(sys.argv[3]).write_text(readme[: found.start(3)] + text + readme[found.end(3) :])
elif text != found[3] or len(page) < 8:
    sys.exit(f"{sys.argv[1]}: the rule is not that of {found[1]}: UPDATE=1 BUILD=build sh tests/cli/house/readme.sh")
PY
[ "${UPDATE:-0}" = 0 ] || python3 "$tmp/excerpt.py" README.md . README.md
check "README's rule is that of generated/" python3 "$tmp/excerpt.py" README.md .
sed 's/padding/paddings/' README.md >"$tmp/README.md"
expect "another word in it is found" 1 'the rule is not that of' python3 "$tmp/excerpt.py" "$tmp/README.md" .
check "README has at most 600 words" [ "$(wc -w <README.md)" -le 600 ]
echo "1..$n"
