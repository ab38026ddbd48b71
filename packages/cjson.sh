#!/bin/sh
# Fetches the source of cJSON, because Debian has no static library of it: the installed version, from Debian's
# source packages. usage: cjson.sh DIR    leaves DIR/cJSON.c and DIR/cJSON.h; CJSON_SOURCE=DIR takes them from there
set -eu
mkdir -p "$1"
to=$(cd "$1" && pwd)
fault() {
	echo "cjson: error: $1" >&2
	exit 1
}
work=$(mktemp -d "$to/fetch.XXXXXX") && trap 'rm -rf "$work"' EXIT
if [ -z "${CJSON_SOURCE:-}" ]; then
	command -v apt-get >/dev/null || fault "there is no apt-get here: give its folder by CJSON_SOURCE=DIR"
	version=$(dpkg-query -W -f '${Version}' libcjson-dev) || fault "libcjson-dev is not installed"
	mkdir -p "$work/lists/partial" "$work/sources"
	for file in /etc/apt/sources.list /etc/apt/sources.list.d/debian*.list /etc/apt/sources.list.d/ubuntu*.list; do
		[ ! -e "$file" ] || sed -n 's/^deb /deb-src /p' "$file" >>"$work/sources/source.list"
	done
	for file in /etc/apt/sources.list.d/debian*.sources /etc/apt/sources.list.d/ubuntu*.sources; do
		[ ! -e "$file" ] || { sed 's/^Types:.*/Types: deb-src/' "$file" && echo; } >>"$work/sources/source.sources"
	done
	apt() {
		apt-get -q -o Dir::Etc::SourceList=/dev/null -o Dir::Etc::SourceParts="$work/sources" -o Dir::State::lists="$work/lists" \
			-o APT::Sandbox::User=root "$@" >>"$work/log" 2>&1 || {
			tail -5 "$work/log" >&2
			fault "apt-get cannot fetch the source of cjson $version: give its folder by CJSON_SOURCE=DIR"
		}
	}
	apt update
	# dpkg-source would be one more package to install. The patches matter: they are security updates.
	cd "$work" && apt source --download-only "cjson=$version" && mkdir source &&
		tar -xf cjson_*.orig.tar.gz -C source --strip-components=1
	for patches in cjson_*.debian.tar.*; do
		tar -xf "$patches" && while read -r patch _; do
			case $patch in '' | '#'*) ;; *) patch -s -d source -p1 <"debian/patches/$patch" ;; esac
		done <debian/patches/series
	done
	cd - >/dev/null
	CJSON_SOURCE=$work/source
fi
for file in cJSON.c cJSON.h; do
	[ -r "$CJSON_SOURCE/$file" ] || fault "there is no $CJSON_SOURCE/$file"
	cp "$CJSON_SOURCE/$file" "$work/$file" && mv "$work/$file" "$to/$file"
done
