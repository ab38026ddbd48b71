#!/bin/sh
# The Debian package, installed by dpkg into a root with nothing but its dependencies: the programs work there,
# and removal deletes all files. `run` is tested with a Python outside the root that has a framework.
BUILD=${BUILD:-build}
. tests/cli/tap.sh
deb=$(find "$BUILD/dist" -name 'rulesmith_*.deb')
root=$tmp/root
field() { dpkg-deb -f "$deb" "$1"; }
mkdir -p "$root/var/lib/dpkg/info" "$root/var/lib/dpkg/updates" && : >"$root/var/lib/dpkg/status"
# Its dependencies: the libraries of the packages it names, with the libraries these load, copied from this
# system.
dpkg-deb -x "$deb" "$tmp/files"
for program in rulefuzz rulesmith; do ldd "$tmp/files/usr/bin/$program"; done | sed -n 's/.* => \([^ ]*\) .*/\1/p; s/^[ \t]*\(\/[^ ]*\) .*/\1/p' | sort -u >"$tmp/libraries"
named() { # every library that a program loads directly belongs to a named package
	for library in $(objdump -p "$tmp/files/usr/bin/rulefuzz" "$tmp/files/usr/bin/rulesmith" | sed -n 's/^ *NEEDED *//p' | sort -u); do
		path=$(grep "/$library\$" "$tmp/libraries")
		owner=$(dpkg -S "$path" "${path#/usr}" "/usr$path" 2>/dev/null | sed -n 's/^\([^:,]*\)[:,].*/\1/p' | head -1)
		case " $(field Depends | tr ',' ' ') " in *" $owner "*) ;; *) echo "$library of $owner" >&2 && return 1 ;; esac
	done
}
check "Depends names the libraries its programs load" named
check "… of this version and machine" [ "$(field Version) $(field Architecture)" = "$(sed -n 's/.*RS_VERSION "\(.*\)"/\1/p' runtime/include/rulesmith.h) $(dpkg --print-architecture)" ]
while read -r library; do mkdir -p "$root$(dirname "$library")" && cp -L "$library" "$root$library"; done <"$tmp/libraries"
mkdir -p "$root/lib64" && cp -L /lib64/ld-linux-* "$root/lib64" 2>/dev/null
find "$root" ! -type d ! -path '*/var/lib/dpkg/*' | sort >"$tmp/before"
# The root has no shell, so nothing runs inside it: dpkg's own programs and the package's script come from this
# system.
installer() { dpkg --root="$root" --force-depends --force-not-root --force-script-chrootless --log=/dev/null "$@"; }
check "dpkg installs it" installer -i "$deb"
check "files are unchanged" [ -z "$(dpkg --root="$root" -V rulesmith)" ]
check "all files belong to root" [ -z "$(dpkg-deb -c "$deb" | awk '$2 != "root/root"')" ]
check "no path of the build machine" sh -c "! grep -rlF '$PWD' '$root/usr'"
if [ "$(id -u)" = 0 ]; then inside() { chroot "$root" "$@"; }; else inside() { unshare -r chroot "$root" "$@"; }; fi
check "rulefuzz gen, in the root" inside /usr/bin/rulefuzz gen --framework onnx --count 3 --seed 5
cp "$tmp/out" "$tmp/models"
"$BUILD/rulefuzz" gen --framework onnx --count 3 --seed 5 >"$tmp/usual"
check "… generates the models of the build" cmp "$tmp/models" "$tmp/usual"
check "rulesmith, in the root" inside /usr/bin/rulesmith --version
unset PYTHONPATH RULEFUZZ_PACKAGE RULEFUZZ_PYTHON
if [ -x "$venvs/onnx/bin/python" ]; then
	runs() { # exit code 3 is a finding, which three models may well have
		XDG_CACHE_HOME=$tmp/cache "$root/usr/bin/rulefuzz" run --backend onnxruntime --python "$venvs/onnx/bin/python" \
			--count 3 --db "$tmp/db" || [ $? = 3 ]
	}
	check "rulefuzz run, with a given Python" runs
else
	skip "rulefuzz run, with a given Python" "there is no $venvs/onnx"
fi
mkdir -p "$root/usr/share/rulefuzz/python/rulefuzz/__pycache__" # as root's runs leave it
: >"$root/usr/share/rulefuzz/python/rulefuzz/__pycache__/worker.pyc"
check "the manual" sh -c "zcat '$root/usr/share/man/man1/rulefuzz.1.gz' | grep -q '^.TH RULEFUZZ'"
check "dpkg removes it" installer --purge rulesmith
find "$root" ! -type d ! -path '*/var/lib/dpkg/*' | sort >"$tmp/after"
check "… without a trace" cmp "$tmp/before" "$tmp/after"
expect "nothing to pack" 1 "deb: error: nothing is installed" sh packages/deb.sh "$tmp/none" 1 "$tmp/x.deb"
echo "1..$n"
