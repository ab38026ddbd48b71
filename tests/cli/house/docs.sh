# The documentation: every path that sources and texts name exists, commands.md is what the programs print, and the site builds
# without a warning, while a broken link or anchor is an error.
. tests/cli/tap.sh
command -v python3 >/dev/null || {
	skip "the documentation" "no python3"
	exit 0
}

cat >"$tmp/paths.py" <<'PY'
"""Names of files in docs/ that do not exist, as `file:line: name`.   usage: paths.py FILE…"""

import pathlib
import re
import sys

NAME = re.compile(r"(?<![\w/.-])docs/[\w./-]+\.(?:md|sh|ya?ml|png|c|cpp|py)\b")
found = False
for name in sys.argv[1:]:
    for number, line in enumerate(pathlib.Path(name).read_text(errors="replace").splitlines(), 1):
        for path in NAME.findall(line):
            if not pathlib.Path(path).exists():
                found = True
                print(f"{name}:{number}: {path}", file=sys.stderr)
sys.exit(found)
PY
if git rev-parse --git-dir >/dev/null 2>&1; then
	git ls-files -- '*.c' '*.h' '*.py' '*.sh' '*.mk' '*.def' '*.md' '*.yml' '*.yaml' '*.1' Makefile .ci .github |
		grep -vE '^(generated|docs/findings|docs/upgrades)/|^CHANGELOG|^tests/cli/house/(docs|prose)\.sh$' >"$tmp/files"
	check "all paths of docs/ that files name exist" xargs python3 "$tmp/paths.py" <"$tmp/files"
else
	skip "paths of docs/ that files name" "no git"
fi
# shellcheck disable=SC2016 # the name is Markdown
echo 'see docs/no-such-page.md' >"$tmp/text"
expect "one that does not is found" 1 'text:1: docs/no-such-page.md' python3 "$tmp/paths.py" "$tmp/text"

python3 packages/docs_site.py "$BUILD" >"$tmp/commands.md" 2>"$tmp/err"
check "docs/reference/commands.md is what the programs print (make docs)" cmp "$tmp/commands.md" docs/reference/commands.md

mkdocs=${RULESMITH_VENVS:-${XDG_CACHE_HOME:-$HOME/.cache}/rulesmith/venv}/docs/bin/mkdocs
if [ -x "$mkdocs" ]; then
	build() { # build CONFIG: the site of a small copy
		NO_MKDOCS_2_WARNING=1 RULESMITH_BUILD=$(realpath "$BUILD") "$mkdocs" build --strict -f "$1" --site-dir "$tmp/site"
	}
	mkdir -p "$tmp/small/docs/reference" "$tmp/small/packages" && cp docs/reference/commands.md "$tmp/small/docs/reference"
	cp packages/docs_site.py "$tmp/small/packages/"
	sed '/^nav:/,$d; /^  polyfills:/d; s/^extra_css:.*/extra_css: []/' mkdocs.yml >"$tmp/small/mkdocs.yml"
	printf 'nav:\n  - index.md\n  - Reference: reference/\n' >>"$tmp/small/mkdocs.yml"
	printf '# Home\n\nText:\n- [a command](reference/commands.md#rulefuzz-run)\n- [a file](../packages/docs_site.py)\n' >"$tmp/small/docs/index.md"
	check "a site builds" build "$tmp/small/mkdocs.yml"
	check "… with all options of a command" grep -q -- '--resume' "$tmp/site/reference/commands.html"
	check "… a folder's pages in its navigation" grep -q 'href="reference/commands.html"' "$tmp/site/index.html"
	check "… a list without an empty line before it" grep -q '<li><a href="reference/commands.html#rulefuzz-run">' "$tmp/site/index.html"
	check "… and a copy of the file that it links" [ -s "$tmp/site/source/packages/docs_site.py.txt" ]
	for link in no-such-page.md 'reference/commands.md#no-such-command' ../no/such/file.c; do
		printf '# Home\n\n[broken](%s)\n' "$link" >"$tmp/small/docs/index.md"
		expect "a link to $link is an error" 1 "${link#../}|no-such" build "$tmp/small/mkdocs.yml"
	done
else
	skip "the site" "no $mkdocs"
fi
echo "1..$n"
