"""Generates the manual page librulesmith(3) from the comments of the library's headers.

usage: manual.py [PAGE]    prints it, or one of its other names
"""

from __future__ import annotations

import itertools
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

TREE = Path(__file__).resolve().parent.parent
HEADERS = ("rulesmith.h", "model.h")
EXAMPLE = TREE / "docs/examples/library.c"
PAGE = "librulesmith"


@dataclass(frozen=True)
class Piece:
    """A header's text between two empty lines: a comment, and the declarations below it."""

    comment: str
    code: str

    @property
    def section(self) -> str:
        """The title of a comment that is a heading ('---- files')."""
        found = re.fullmatch(r"---- (.*)", self.comment)
        return found[1] if found else ""


def _comment(text: str) -> str:
    """A comment without its frame."""
    lines = text.removeprefix("/*").removesuffix("*/").splitlines()
    return "\n".join(re.sub(r"^ \*( |$)", "", line).rstrip() for line in lines).strip()


def pieces(header: str) -> Iterator[Piece]:
    """The blocks of a header, without guards, includes and other preprocessor lines except constants."""
    text = re.sub(r"^#(?!define \w+ [^ ]+$).*\n|^extern \"C\" \{\n|^\}\n", "", header, flags=re.MULTILINE)
    for block in re.split(r"\n{2,}", text.strip()):
        found = re.match(r"/\*.*?\*/", block, flags=re.DOTALL)
        comment = found[0] if found else ""
        piece = Piece(_comment(comment), block[len(comment) :].strip("\n"))
        if piece.comment or piece.code:
            yield piece


def functions() -> list[str]:
    """The library's functions, in the order of the headers."""
    text = "".join((TREE / "runtime/include" / name).read_text(encoding="utf-8") for name in HEADERS)
    code = re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL)
    return list(dict.fromkeys(re.findall(r"^\w[\w ]*[ *](rs_\w+)\((?=[^;{]*\);)", code, flags=re.MULTILINE)))


def escaped(text: str) -> str:
    """Escapes a text for roff."""
    text = text.replace("\\", "\\e").replace("-", "\\-").replace("…", "...").replace("`", "\\(ga").replace("\t", "    ")
    return re.sub(r"^(?=[.'])", "\\&", text, flags=re.MULTILINE)


def _verbatim(code: str) -> str:
    return f".PP\n.nf\n.RS 4\n{escaped(code)}\n.RE\n.fi\n"


def _prose(comment: str) -> str:
    """Paragraphs; indented lines stay as they are."""
    out = []
    for indented, lines in itertools.groupby(comment.splitlines(), lambda line: line.startswith("    ")):
        text = "\n".join(lines)
        if indented:
            out.append(_verbatim(re.sub(r"^    ", "", text, flags=re.MULTILINE)))
        else:
            out += [f".PP\n{escaped(block)}\n" for block in re.split(r"\n{2,}", text.strip()) if block]
    return "".join(out)


def _reference(header: str) -> str:
    """A header's blocks after its first comment."""
    out = []
    for piece in list(pieces(header))[1:]:
        if piece.section:
            out.append(f".SS {piece.section.capitalize()}\n" + (_verbatim(piece.code) if piece.code else ""))
        else:
            out.append((_verbatim(piece.code) if piece.code else "") + _prose(piece.comment))
    return "".join(out)


def _features() -> str:
    """The fields of rs_features, from the rows of their table."""
    table = (TREE / "runtime/include/modelfeatures.h").read_text(encoding="utf-8").replace("\\\n", " ")
    rows = re.findall(r'FEATURE\((\w+), "[^"]*", \w+, \d+, \w+, \d+, \w+,\s*"([^"]*)"\)', table)
    return "".join(f"\tuint32_t {field}; /* {about} */\n" for field, about in rows)


def page() -> str:
    """The manual page."""
    headers = {name: (TREE / "runtime/include" / name).read_text(encoding="utf-8") for name in HEADERS}
    headers["rulesmith.h"] = headers["rulesmith.h"].replace("\tRS_FEATURES(RS_FIELD)\n", _features())
    first = {name: next(pieces(text)).comment for name, text in headers.items()}
    found = re.search(r'^#define RS_VERSION "(.*)"$', headers["rulesmith.h"], flags=re.MULTILINE)
    title, _, about = first["rulesmith.h"].partition("\n")
    said = title.removeprefix("librulesmith: ").rstrip(".")
    parts = [
        f'.TH LIBRULESMITH 3 "" "rulesmith {found[1] if found else ""}"\n',
        f".SH NAME\n{', '.join([PAGE, *functions()])} \\- {escaped(said)}\n",
        ".SH SYNOPSIS\n.nf\n.B #include <rulesmith.h>\n.PP\n",
        "cc program.c $(pkg\\-config \\-\\-cflags \\-\\-libs rulesmith)\n.fi\n",
        f".SH DESCRIPTION\n{_prose(about)}",
        f".SH RULES, CALLS AND GENERATORS\n{_reference(headers['rulesmith.h'])}",
        f".SH MODELS\n{_prose(first['model.h'])}{_reference(headers['model.h'])}",
        f".SH EXAMPLE\n{_verbatim(EXAMPLE.read_text(encoding='utf-8').rstrip())}",
        ".SH SEE ALSO\n.BR rulefuzz (1),\n.BR rulesmith (1)\n",
    ]
    return "".join(parts)


def pages() -> Iterator[tuple[str, str]]:
    """All pages of section 3, name and text: a page per function refers to the library's."""
    yield PAGE, page()
    for name in functions():
        yield name, f".so man3/{PAGE}.3\n"


def main() -> int:
    """The command."""
    wanted = sys.argv[1] if len(sys.argv) > 1 else PAGE
    text = dict(pages()).get(wanted)
    if text is None:
        print(f"manual.py: error: no such page: {wanted}", file=sys.stderr)
        return 1
    sys.stdout.write(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
