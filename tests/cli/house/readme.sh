# The rule that README shows is the one in generated/: each of its pieces, between lines of dots, stands there word for word. So do
# the numbers that the tutorial explains.
. tests/cli/tap.sh
command -v python3 >/dev/null || {
	skip "README's rule" "no python3"
	exit 0
}

cat >"$tmp/pieces.py" <<'PY'
"""Pieces of README's C blocks that the file it links does not have, one a line: `README.md:LINE: first line`."""

import pathlib
import re
import sys

readme = pathlib.Path(sys.argv[1]).read_text().splitlines()
source, inside, piece, shown = "", False, [], 0


def end(line: int) -> None:
    """Compares what was gathered; a comment that dots cut off is closed by README itself."""
    global shown
    lines = [x for x in piece if x.strip() not in ("*/", "")] if piece else []
    shown += len(lines)
    if lines and "\n".join(piece).strip("\n").removesuffix("\n */") not in source:
        print(f"README.md:{line - len(piece)}: {piece[0]}")
    piece.clear()


for n, text in enumerate(readme, 1):
    link = re.search(r"\]\((generated/[^)]+\.c)\)", text)
    if link and not source:
        source = pathlib.Path(link[1]).read_text()
    if text.startswith("```"):
        inside = text == "```c" and bool(source)
        end(n)
    elif inside and "…" in text:
        end(n)
    elif inside:
        piece.append(text)
if shown < 20:
    print(f"README.md: {shown} lines of a rule")
PY
check "README's rule is that of generated/" sh -c '[ -z "$(python3 "$1" "$2" | tee /dev/stderr)" ]' - "$tmp/pieces.py" README.md
sed 's/refused \([0-9]*\), /refused 9\1, /' README.md >"$tmp/README.md"
python3 "$tmp/pieces.py" "$tmp/README.md" >"$tmp/found"
check "another number in it is found" grep -q 'README.md:[0-9]*: /\* torch' "$tmp/found"
said=$(grep -o 'refused [0-9]*, [0-9]* alone' docs/tutorial.md | head -1)
check "the tutorial's numbers are those of the page that it shows" grep -q "${said:-no numbers}" generated/torch/nn.functional.conv2d.c
