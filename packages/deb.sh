#!/bin/sh
# Makes the Debian package from the files that `make install` puts below /usr: stripped, manual pages compressed,
# with dependencies on the shared libraries that its programs load. usage: deb.sh ROOT VERSION OUT.deb
#
# ROOT is the DESTDIR of that installation; the package's control files are made in ROOT/DEBIAN. The output is
# reproducible: times are those of the commit (or SOURCE_DATE_EPOCH), owners are root, one thread compresses.
set -eu
root=$1 version=$2 out=$3
fault() {
	echo "deb: error: $1" >&2
	exit 1
}
command -v dpkg-deb >/dev/null || fault "there is no dpkg-deb here"
[ -x "$root/usr/bin/rulefuzz" ] || fault "nothing is installed in $root/usr"
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2>/dev/null || echo 1000000000)}
export SOURCE_DATE_EPOCH
umask 022
programs="$root/usr/bin/rulefuzz $root/usr/bin/rulesmith $(find "$root/usr/lib" -name 'librulesmith.so.*')"
# shellcheck disable=SC2086 # paths without spaces
strip --strip-unneeded -R .note.gnu.build-id $programs # the build id depends on the folder
strip --strip-debug --enable-deterministic-archives "$root/usr/lib/librulesmith.a"
gzip -9n "$root"/usr/share/man/man1/*.1 "$root"/usr/share/man/man3/*.3
mkdir -p "$root/usr/share/doc/rulesmith" "$root/DEBIAN"
cp LICENSE "$root/usr/share/doc/rulesmith/copyright"

# The packages that own the libraries; for libc also the minimum version.
# shellcheck disable=SC2086
libraries=$(objdump -p $programs | sed -n 's/^ *NEEDED *//p' | sort -u | grep -v -e '^ld-linux' -e '^librulesmith')
depends="libc6 (>= $(
	# shellcheck disable=SC2086
	objdump -T $programs | grep -o 'GLIBC_[0-9.]*' | sed 's/GLIBC_//' | sort -V | tail -1
))"
for library in $libraries; do
	# shellcheck disable=SC2086
	path=$(ldd $programs | sed -n "s|^.*$library => \([^ ]*\) .*|\1|p" | head -1)
	owner=$(dpkg -S "$(realpath "$path")" "$path" "${path#/usr}" "/usr$path" 2>/dev/null | sed -n 's/^\([^:,]*\)[:,].*/\1/p' | head -1)
	[ -n "$owner" ] || fault "no package has $library"
	case ", $depends," in *", $owner"[,\ ]*) ;; *) depends="$depends, $owner" ;; esac
done
cat >"$root/DEBIAN/control" <<-CONTROL
	Package: rulesmith
	Version: $version
	Architecture: $(dpkg --print-architecture)
	Maintainer: The rulesmith authors <root@localhost>
	Installed-Size: $(find "$root/usr" -type f -printf '%s\n' | awk '{ k += int(($1 + 1023) / 1024) } END { print k }')
	Depends: $depends
	Recommends: python3
	Suggests: python3-venv
	Section: devel
	Priority: optional
	Description: compiled rules of deep-learning operators, and a fuzzer of their compilers
	 rulefuzz builds valid models from rules that rulesmith learned from recorded calls,
	 runs them by a compiler and by its reference, and keeps what differs. librulesmith
	 has the same rules for C and C++.
CONTROL
cat >"$root/DEBIAN/prerm" <<-'SCRIPT'
	#!/bin/sh
	# What Python left beside the package's files where root ran it.
	set -e
	[ ! -d "$DPKG_ROOT/usr/share/rulefuzz" ] || find "$DPKG_ROOT/usr/share/rulefuzz" -name __pycache__ -type d -prune -exec rm -rf {} +
SCRIPT
chmod 755 "$root/DEBIAN/prerm"
echo 'activate-noawait ldconfig' >"$root/DEBIAN/triggers"
(cd "$root" && find usr -type f -print0 | LC_ALL=C sort -z | xargs -0 md5sum) >"$root/DEBIAN/md5sums"
chmod -R u=rwX,go=rX "$root"
find "$root" -exec touch -h -d "@$SOURCE_DATE_EPOCH" {} +
mkdir -p "$(dirname "$out")"

# The program and both libraries have the same rules. xz finds them again if its window is larger than the program, which
# takes a fifth off the package. dpkg-deb has no option for that, so the data is compressed here.
dpkg-deb --root-owner-group -Znone --build "$root" "$out.new" >/dev/null
parts=$(mktemp -d) && trap 'rm -rf "$parts"' EXIT
ar --output "$parts" x "$out.new"
for part in control data; do xz -T1 --lzma2=preset=2,dict=64MiB "$parts/$part.tar"; done
rm "$out.new"
ar rcD "$out.new" "$parts/debian-binary" "$parts/control.tar.xz" "$parts/data.tar.xz"
mv "$out.new" "$out"
