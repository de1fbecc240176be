"""Labels: the texts of a page that say what stands after them."""

from __future__ import annotations

import re

LONGEST_LABEL = 60
_LETTER = re.compile(r"[^\W\d_]")


def as_xpath_sees(text: str) -> str:
    """What ``normalize-space()`` makes of a text; other white space than ASCII's stays."""
    return " ".join(re.split(r"[ \t\r\n]+", text.strip(" \t\r\n")))


def is_wordy(text: str) -> bool:
    """Whether there is a letter in a text."""
    return _LETTER.search(text) is not None
