#!/bin/sh
# packages/twice.sh on a small project: it distinguishes reproducible builds from others.
. tests/cli/tap.sh
twice=$PWD/packages/twice.sh
mkdir "$tmp/project" && cd "$tmp/project" || exit 1
plant() { # plant COMMAND: a project whose `make static` writes what the command prints
	rm -rf .git build
	printf 'static:\n\t@mkdir -p $(B)/static\n\t@%s >$(B)/static/rulefuzz\n' "$1" >Makefile
	git init -q . && git add Makefile && git -c user.name=a -c user.email=a@b commit -qm one && make -s B=build static
}
export ONLY=static
unset CJSON_SOURCE MAKEFLAGS
plant 'echo same'
check "equal builds" sh "$twice" build
cp "$tmp/out" "$tmp/text"
check "… are reported with their size" grep -qx 'static: the same 5 bytes' "$tmp/text"
plant 'pwd'
expect "a path in the build" 1 'differ' sh "$twice" build
plant 'date +%N'
expect "a time in the build" 1 'differ' sh "$twice" build
plant 'echo same'
echo '# changed' >>Makefile
expect "uncommitted changes" 1 'twice: error: there are changes .* Makefile' sh "$twice" build
git checkout -q Makefile && rm -r build
expect "nothing to compare" 1 'twice: error: there is no static in build: make static' sh "$twice" build
plant 'test ! -e ../elsewhere'
expect "a second build that fails" 1 'twice: error: the second build failed' sh "$twice" build
echo "1..$n"
