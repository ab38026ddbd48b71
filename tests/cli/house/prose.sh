#!/bin/sh
# The prose check finds one planted fault of each kind, and same_code tells comments from code.
. tests/cli/tap.sh
command -v python3 >/dev/null || {
	skip "the prose check" "no python3"
	exit 0
}
PYTHONPATH=$PWD
export PYTHONPATH
cd "$tmp" || exit 1
mkdir -p docs/measurements runtime && git init -q . && git config user.name t && git config user.email t@example.org
finds() { # finds WHAT PATTERN FILE: the check prints it and fails
	python3 -m tests.prose "$3" >out 2>&1
	if [ $? -eq 1 ] && grep -qE -- "$2" out; then ok "$1"; else
		not_ok "$1 (wanted /$2/)"
		sed 's/^/# /' out | head
	fi
}
silent() { # silent WHAT FILE
	check "$1" python3 -m tests.prose "$2"
}
words() { # words N: a sentence of N words
	awk -v n="$1" 'BEGIN { printf "Word"; for (i = 1; i < n; i++) printf " word"; print "." }'
}

printf 'The run counts a duplicate.\n\n```\nno number\n```\n\nCode such as `no number` is code.\n' >docs/good.md
silent "plain prose and code spans pass" docs/good.md
printf '# Title\n\nThe result is no\nnumber at all.\n' >docs/word.md
finds "a private word in documentation, over two lines" "^docs/word.md:3: error: word: 'no number': write NaN" docs/word.md
printf '| a | b |\n| --- | --- |\n| met again | x |\n' >docs/cell.md
finds "in a table" "^docs/cell.md:3: .*met again" docs/cell.md
printf 'int f; /* what\n * is refused, after a\n * first look */\n' >runtime/comment.c
finds "in a comment of C, over two lines" "^runtime/comment.c:1: .*what is refused" runtime/comment.c
finds "in its last line" "^runtime/comment.c:3: .*first look" runtime/comment.c
printf 'int f(void)\n{\n\treturn puts("met "\n\t    "again");\n}\n' >runtime/message.c
printf 'const char *key = "near-misses";\n' >runtime/key.c
silent "a message of one word is a name" runtime/key.c
finds "in a message that is two literals" "^runtime/message.c:[34]: .*met again" runtime/message.c
printf 'def f() -> str:\n    """Not a near miss."""\n    return f"{1} call forms"  # no numbers\n' >runtime/a.py
finds "in a docstring" "^runtime/a.py:2: .*near miss" runtime/a.py
finds "in an f-string" "^runtime/a.py:3: .*call forms" runtime/a.py
finds "in a comment of Python" "^runtime/a.py:3: .*no numbers" runtime/a.py
printf 'echo "the whole judge" # of such\n' >runtime/a.sh
finds "in a shell script" "^runtime/a.sh:1: .*whole judge" runtime/a.sh
for _ in 1 2 3 4 5 6; do words 18 && echo; done >docs/long.md
finds "long sentences" "^docs/long.md:1: error: sentence: median 18" docs/long.md
for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13; do words 10; done | tr '\n' ' ' >docs/paragraph.md
finds "a long paragraph" "^docs/paragraph.md:1: error: paragraph: 130 words" docs/paragraph.md
for _ in $(seq 260); do words 10 && echo; done >docs/page.md
finds "a long page" "^docs/page.md:1: error: page: 2600 words" docs/page.md
echo 'It accepts 99.8 % of them.' >docs/figure.md
finds "a figure outside docs/measurements" "^docs/figure.md:1: error: figure: '99.8 %'" docs/figure.md
cp docs/figure.md docs/measurements/figure.md
silent "and none inside" docs/measurements/figure.md

printf '/* one */\n#define A 1\nint x = A; /* two */\n' >runtime/c.c
printf 'def f(x):\n    """One."""\n    return x  # two\n' >runtime/p.py
printf '#!/bin/sh\n# one\necho "# no comment"\n' >runtime/s.sh
echo data >runtime/data
git add -A && git commit -qm one
printf '/* other\n * words */\n#define A 1\nint x = A;\n' >runtime/c.c
printf 'def f(x):\n    """Other."""\n    return x\n' >runtime/p.py
printf '#!/bin/sh\n# other\necho "# no comment" # words\n' >runtime/s.sh
check "same_code: comments alone changed" python3 -m tests.prose.same_code HEAD
differs() { # differs WHAT FILE
	if python3 -m tests.prose.same_code HEAD >out 2>&1 || ! grep -q "^$2: error" out; then not_ok "$1"; else ok "$1"; fi
	git checkout -q .
}
printf '/* one */\n#define A 2\nint x = A; /* two */\n' >runtime/c.c
differs "same_code: a number in C" runtime/c.c
printf '/* one */\n#define A\n1\nint x = A; /* two */\n' >runtime/c.c
differs "same_code: where a directive ends" runtime/c.c
printf 'def f(x):\n    """One."""\n    return x + 1\n' >runtime/p.py
differs "same_code: an expression of Python" runtime/p.py
printf '#!/bin/sh\n# one\necho "# comment"\n' >runtime/s.sh
differs "same_code: a quoted # in a script" runtime/s.sh
echo other >runtime/data
differs "same_code: any byte of data" runtime/data
echo "1..$n"
