#!/bin/sh
# No memory: an allocation fails, or all from one on. Each command says what it says with memory, or ends with 1 and an error.
. tests/cli/tap.sh
if sanitized; then ok "no memory # SKIP a sanitizer allocates by itself" && echo 1..1 && exit; fi
cc=${CC:-cc} && command -v "${cc%% *}" >/dev/null || { ok "no memory # SKIP no compiler" && echo 1..1 && exit; }
$cc -O1 -shared -fPIC tests/data/faults/no_memory.c -o "$tmp/no_memory.so" || exit 1
python3 tests/cli/runtime/faults/memory.py "$tmp/no_memory.so" "$BUILD" "$tmp" "${POINTS:-6}"
