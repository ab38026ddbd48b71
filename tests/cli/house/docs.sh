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

cat >"$tmp/options.py" <<'PY'
"""Commands and options in pages that the programs do not have, as `file:line: error: …`.   usage: options.py BUILD FILE…"""

import pathlib
import re
import sys

sys.path.insert(0, "packages")
from completion import commands, options

CALL = re.compile(r"(?<![\w./-])(?:build/)?(rulefuzz|rulesmith) ([a-z][a-z-]+)((?:\s[^#`|;&]*)?)")
OPTION = re.compile(r"(?<![\w-])--[a-z][a-z-]*")
build, found, seen = pathlib.Path(sys.argv[1]), False, 0
known = {name: commands(build / name) for name in ("rulefuzz", "rulesmith")}
cache = {}
# --check is one of build/audit-c.
every = {"--check"} | {o for program, names in known.items() for command in names for o in options(build / program, command)}
for name in sys.argv[2:]:
    fenced = False
    for number, line in enumerate(pathlib.Path(name).read_text().splitlines(), 1):
        fenced ^= line.lstrip().startswith("```")
        for text in [line] if fenced else re.findall(r"`([^`]+)`", line):
            for option in re.findall(r"^--[a-z][a-z-]*", text):
                if option not in every:
                    found = True
                    print(f"{name}:{number}: error: no command has {option}", file=sys.stderr)
            for program, command, rest in CALL.findall(text):
                if command not in known[program]:
                    continue
                seen += 1
                if (program, command) not in cache:
                    cache[program, command] = set(options(build / program, command))
                for option in OPTION.findall(rest):
                    if option not in cache[program, command]:
                        found = True
                        print(f"{name}:{number}: error: {program} {command} has no {option}", file=sys.stderr)
sys.exit(found or not seen)
PY
check "pages show options that the commands have" python3 "$tmp/options.py" "$BUILD" README.md docs/tutorial.md docs/guides/*.md docs/explanation/*.md docs/reference/*.md
# shellcheck disable=SC2016 # Markdown
printf '%s\n' 'run `rulefuzz run --backend tract --no-such-option 3`' 'or `--no-such-thing`' >"$tmp/page.md"
expect "one that a command has not is found" 1 'page.md:1: error: rulefuzz run has no --no-such-option' \
	python3 "$tmp/options.py" "$BUILD" "$tmp/page.md"
expect "and one that none has" 1 'page.md:2: error: no command has --no-such-thing' python3 "$tmp/options.py" "$BUILD" "$tmp/page.md"

mkdocs=${RULESMITH_VENVS:-${XDG_CACHE_HOME:-$HOME/.cache}/rulesmith/venv}/docs/bin/mkdocs
if [ -x "$mkdocs" ]; then
	build() { # build CONFIG: the site of a small copy
		NO_MKDOCS_2_WARNING=1 RULESMITH_BUILD=$(realpath "$BUILD") "$mkdocs" build --strict -f "$1" --site-dir "$tmp/site"
	}
	mkdir -p "$tmp/small/docs/reference" "$tmp/small/packages" && cp docs/reference/commands.md "$tmp/small/docs/reference"
	cp packages/docs_site.py packages/completion.py "$tmp/small/packages/"
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
