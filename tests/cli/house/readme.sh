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
found = re.search(r'<!-- rule: (\S+), to "([^"]+)" -->\n```text\n(.*?)```\n', readme, re.S)
if not found:
    sys.exit(f"{sys.argv[1]}: no rule")
lines = (pathlib.Path(sys.argv[2]) / found[1]).read_text().splitlines()
page = []
for line in lines[2:]:
    if found[2] in line or line.strip() == "*/":
        break
    page.append(line.removeprefix(" *").removeprefix(" ").rstrip())
else:
    sys.exit(f"{found[1]}: no {found[2]!r}")
text = "\n".join(page).strip("\n") + "\n"
if len(sys.argv) > 3:
    pathlib.Path(sys.argv[3]).write_text(readme[: found.start(3)] + text + readme[found.end(3) :])
elif text != found[3] or len(page) < 8:
    sys.exit(f"{sys.argv[1]}: the rule is not that of {found[1]}: UPDATE=1 BUILD=build sh tests/cli/house/readme.sh")
PY
check "README's rule is that of generated/" sh -c '[ -z "$(python3 "$1" "$2" | tee /dev/stderr)" ]' - "$tmp/pieces.py" README.md
sed 's/rejects \([0-9]*\) /rejects 9\1 /' README.md >"$tmp/README.md"
python3 "$tmp/pieces.py" "$tmp/README.md" >"$tmp/found"
check "another number in it is found" grep -q 'README.md:[0-9]*: /\* torch' "$tmp/found"
said=$(grep -o 'rejects [0-9]* ([0-9]* uniquely)' docs/tutorial.md | head -1)
check "the tutorial's numbers are those of the page that it shows" grep -q "${said:-no numbers}" generated/torch/nn.functional.conv2d.c
