#!/usr/bin/env python3
"""contrast.py CSS: checks the contrast of each text color and its backgrounds in a style sheet, in light and dark.
Exit code 1 if one is below 4.5 (WCAG 2, AA)."""

from __future__ import annotations

import re
import sys
from pathlib import Path

ENOUGH = 4.5
TEXTS = {
    "ink": ("page", "card", "chosen"),
    "soft": ("page", "card"),
    "link": ("page", "card", "chosen"),
    "word": ("page",),
    "call": ("page",),
    "note": ("page",),
}


def luminance(colour: str) -> float:
    """The relative luminance of a color, 0 to 1."""
    digits = colour if len(colour) == 6 else "".join(c + c for c in colour)
    parts = [int(digits[i : i + 2], 16) / 255 for i in (0, 2, 4)]
    red, green, blue = (p / 12.92 if p <= 0.03928 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(a: str, b: str) -> float:
    """The contrast of two colors, 1 to 21."""
    low, high = sorted((luminance(a), luminance(b)))
    return (high + 0.05) / (low + 0.05)


def main() -> int:
    """The command."""
    schemes = re.findall(r":root \{(.*?)\}", Path(sys.argv[1]).read_text(), re.DOTALL)
    bad = len(schemes) != 2
    for scheme, text in zip(("light", "dark"), schemes, strict=False):
        colours = dict(re.findall(r"--(\w+): #([0-9a-f]+)", text))
        for name, grounds in TEXTS.items():
            for ground in grounds:
                ratio = contrast(colours[name], colours[ground])
                if ratio < ENOUGH:
                    print(f"{scheme}: {name} on {ground}: {ratio:.2f}", file=sys.stderr)
                    bad = True
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
