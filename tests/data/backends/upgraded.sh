#!/bin/sh
# fake.sh in the version that FILE holds when it starts. With a third word, it writes that version to FILE at
# the model with index 3, and the worker dies.   usage: upgraded.sh FILE [NEXT]
version=$(cat "$1") next=$2
[ "$next" != "$version" ] || next=
sh tests/data/backends/fake.sh "$([ -n "$next" ] && echo crash || echo ok)" | sed -u "s/\"fake\":\"1.0\"/\"fake\":\"$version\"/"
[ -z "$next" ] || echo "$next" >"$1"
exit 1
