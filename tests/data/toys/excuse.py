"""A toy: elements that are larger by one."""

from __future__ import annotations

from typing import Any

from rulefuzz.oracle.excuses.difference import Difference, Element


class OneMore(Element):
    """Elements that the toy target makes larger by one."""

    name = "one-more"

    def applies(self, subject: Difference) -> Any:
        """See Element."""
        return abs(subject.got[3] - subject.want[3] - 1) < 1e-5
