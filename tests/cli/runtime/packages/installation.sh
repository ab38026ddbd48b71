#!/bin/sh
# make install and make uninstall: which files go where, with which mode, and that all are removed again.
# tests/cli/runtime/python/install.sh and tests/cli/runtime/include/library.sh test that they work.
BUILD=${BUILD:-build}
. tests/cli/tap.sh
[ -x "$BUILD/rulesmith" ] || {
	echo "ok 1 - make install # SKIP no $BUILD/rulesmith"
	echo "1..1"
	exit 0
}
[ -z "${PROGRAMS_ONLY:-}" ] || { # make and Python do the work; programs of any build are installed alike
	echo "ok 1 - make install # SKIP tested with the usual build"
	echo "1..1"
	exit 0
}
run() { built -o all "$1" DESTDIR="$tmp/root" PREFIX=/opt/rs; }
root=$tmp/root/opt/rs
mkdir -p "$root/share/man/man1" && echo mine >"$root/share/man/man1/mine.1"
check "make install" run install
listed() { python3 packages/installation.py list programs library --build "$BUILD" --prefix /opt/rs | sort; }
there() { (cd "$root" && find . ! -type d | sed 's|^\./||' | grep -v mine.1 | sort); }
listed >"$tmp/listed" && there >"$tmp/there"
check "installs the listed files only" cmp "$tmp/listed" "$tmp/there"
check "nothing outside the prefix" [ "$(ls "$tmp/root" "$tmp/root/opt" | tr '\n' ' ')" = "$tmp/root: opt  $tmp/root/opt: rs " ]
for place in bin/rulefuzz bin/rulesmith lib/librulesmith.a lib/librulesmith.so share/man/man1/rulefuzz.1 \
	share/bash-completion/completions/rulefuzz share/zsh/site-functions/_rulefuzz share/rulefuzz/python/rulefuzz/worker.py \
	share/rulefuzz/python/traces/torch/torch.nn.functional.conv2d.jsonl include/rulesmith/rulesmith.h; do
	check "… $place" [ -s "$root/$place" ]
done
check "… with the rules' pages, which need no checkout" sh -c "cd / && '$root/bin/rulefuzz' rules --api torch.mm | head -1 | grep -q '^torch.mm[:(]'"
modes() { ! find "$root" -type f ! -perm 644 ! -perm 755 | grep . && ! find "$root" -type f -perm 755 | grep -vE '/(bin/[a-z]+|lib/librulesmith\.so\.[0-9]+)$'; }
check "files are world-readable" modes
check "DESTDIR is in no file" sh -c "! grep -rlF '$tmp' '$root/lib/pkgconfig' '$root/share'"
PKG_CONFIG_PATH=$root/lib/pkgconfig
export PKG_CONFIG_PATH
check "pkg-config has the header's version" [ "$(pkg-config --modversion rulesmith)" = "$(sed -n 's/.*RS_VERSION "\(.*\)"/\1/p' runtime/include/rulesmith.h)" ]
check "shared library needs no other libraries" [ "$(pkg-config --libs rulesmith | tr -d ' ')" = -L/opt/rs/lib-lrulesmith ]
check "archive needs the static libraries" sh -c "pkg-config --libs --static rulesmith | grep -q 'lcjson.*-lxxhash.*-lprotobuf-c'"
check "installing twice" run install
mkdir -p "$root/share/rulefuzz/python/rulefuzz/__pycache__" && : >"$root/share/rulefuzz/python/rulefuzz/__pycache__/worker.pyc"
check "make uninstall" run uninstall
check "… leaves only files of others" [ "$(cd "$tmp/root" && find . ! -type d)" = ./opt/rs/share/man/man1/mine.1 ]
check "… and their folders" [ "$(cd "$root" && find . -type d | sort | tr '\n' ' ')" = ". ./share ./share/man ./share/man/man1 " ]
check "… without an installation" run uninstall
: >"$tmp/file"
expect "unwritable prefix" 2 "installation: error: .*Not a directory" built -o all install-library PREFIX="$tmp/file/x"
expect "a relative prefix" 2 "absolute path" built -o all install-library PREFIX=here
echo "1..$n"
