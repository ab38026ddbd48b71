#!/usr/bin/env python3
"""Makes hostile rules, and checks the pages of a site.

pages.py make RULES OUT     copies a file of rules with some texts replaced by markup, scripts and control
sequences pages.py check SITE         checks each page: allowed elements only, each closed; no handlers; links
inside SITE, or to a
                            framework's documentation (runtime/site/api_html.def) and marked as external; scopes of table
                            headers; no scripts or style sheets but the site's"""

from __future__ import annotations

import json
import re
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import urlsplit

HOSTILE = "<img src=x onerror=alert(1)>\"'</script><script>alert(2)</script>&amp;\u202e\x1b[31m\n"
VOID = {"meta", "link", "br", "input"}
FRAME = "html head title body header main nav section h1 h2 h3 p a ul li span div label kbd code pre var b i u dl dt dd"
TABLES = "del ins script table thead tbody tr th td figure figcaption svg g rect path circle text select"
FORMULAS = "math mi mn mo mtext mrow msub mfrac mpadded mtable mtr mtd"
DOCUMENTATION = re.findall(r'"(https://[^"]*)"', Path("runtime/site/api_html.def").read_text(encoding="utf-8"))
ELEMENTS = VOID | set(f"{FRAME} {TABLES} {FORMULAS}".split())
MADE = ("torch.max_pool2d", "torch.matmul", "onnx.Resize", "torch.add")


def make(source: Path, target: Path) -> None:
    """Makes names of arguments, constants and reasons hostile. The rules stay the same, so that pictures are
    drawn."""
    lines = source.read_text().splitlines()
    kept = [lines[0]]
    for line in lines[1:]:
        rule = json.loads(line)
        if rule["api"] not in MADE:
            continue
        for argument in rule["args"]:
            argument["name"] += HOSTILE
            if isinstance(argument["value"], dict) and "const" in argument["value"]:
                argument["value"]["const"] = HOSTILE
        for key in ("why", "version"):
            if key in rule:
                rule[key] += HOSTILE
        kept.append(json.dumps(rule))
    target.write_text("\n".join(kept) + "\n")


class Page(HTMLParser):
    """The faults of a page."""

    def __init__(self, path: Path, site: Path) -> None:
        super().__init__()
        self.path, self.site = path, site
        self.open: list[str] = []
        self.faults: list[str] = []
        self.script = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """An element must be allowed, with harmless attributes only."""
        found = dict(attrs)
        if tag not in ELEMENTS:
            self.faults.append(f"an element {tag}")
        self.faults += [f"an attribute {name}" for name in found if name.startswith("on") or name == "style"]
        if tag == "a" and found.get("rel") == "external":
            if not any(str(found.get("href")).startswith(begin) for begin in DOCUMENTATION):
                self.faults.append(f"a link to {found.get('href')}")
            self.open.append(tag)
            return
        for name in ("href", "src"):
            if name in found:
                self.lead(str(found[name]))
        if tag == "th" and "scope" not in found:
            self.faults.append("a header without scope")
        if tag == "script" and not str(found.get("src")).endswith("site.js"):
            self.faults.append("a script of others")
        if tag not in VOID:
            self.open.append(tag)

    def lead(self, link: str) -> None:
        """A link must lead to a file of the site."""
        parts = urlsplit(link)
        target = self.path if not parts.path else (self.path.parent / parts.path)
        if parts.scheme or parts.netloc or not target.is_file() or not target.resolve().is_relative_to(self.site.resolve()):
            self.faults.append(f"a link to {link}")

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """An element that closes itself."""
        self.handle_starttag(tag, attrs)
        self.handle_endtag(tag)

    def handle_endtag(self, tag: str) -> None:
        """An end tag must close the last open element."""
        if not self.open or self.open.pop() != tag:
            self.faults.append(f"an end of {tag}")

    def handle_data(self, data: str) -> None:
        """Text must have no control characters."""
        if any(ord(c) < 32 and c not in "\n\t" for c in data):
            self.faults.append(f"a control character in {data[:40]!r}")
        if self.open and self.open[-1] == "script" and data.strip():
            self.faults.append("a script that stands in the page")


def check(site: Path) -> int:
    """The number of pages with a fault; 1 if there are no pages."""
    pages = sorted(site.rglob("*.html"))
    wrong = 0
    for path in pages:
        page = Page(path, site)
        page.feed(path.read_text())
        page.close()
        faults = page.faults + ([f"{page.open} at the end"] if page.open else [])
        if faults:
            print(f"{path}: {faults[:5]}", file=sys.stderr)
        wrong += bool(faults)
    if not pages:
        print(f"{site}: no pages", file=sys.stderr)
    return wrong + (not pages)


def main() -> int:
    """The command."""
    if sys.argv[1] == "make":
        make(Path(sys.argv[2]), Path(sys.argv[3]))
        return 0
    return 1 if check(Path(sys.argv[2])) else 0


if __name__ == "__main__":
    sys.exit(main())
