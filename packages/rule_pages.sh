#!/bin/sh
# Prints the rule of each API in readable notation, compressed: the comment that opens its file, without the frame. A form
# feed begins each page. usage: rule_pages.sh DIR    (DIR is generated/)
set -eu
# generated/forms is another library.
find "$1" -mindepth 2 -name '*.c' -not -path "$1/forms/*" | LC_ALL=C sort | xargs awk '
	FNR == 1 { on = 0 }
	FNR == 2 && /^\/\* [^ (]+(\(|: [0-9])/ { on = 1; printf "\f" }
	on && /^ \*\/$/ { on = 0 }
	on { sub(/^(\/\*| \*) ?/, ""); print }' | gzip -9n
