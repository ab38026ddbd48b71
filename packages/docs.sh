#!/bin/sh
# Makes the documentation as a site: docs/reference/commands.md from the programs' help, then BUILD/docs.
# usage: docs.sh BUILD ENVIRONMENT    ENVIRONMENT is the virtual environment with mkdocs
set -eu
build=$1 environment=$2
python3 packages/docs_site.py "$build" >"$build/commands.md.new"
cmp -s "$build/commands.md.new" docs/reference/commands.md || cp "$build/commands.md.new" docs/reference/commands.md
rm "$build/commands.md.new"
# --quiet would hide warnings from --strict.
RULESMITH_BUILD=$build NO_MKDOCS_2_WARNING=1 "$environment/bin/mkdocs" build --strict --site-dir "$build/docs" >"$build/docs.log" 2>&1 || {
	grep -v '^INFO' "$build/docs.log"
	exit 1
}
