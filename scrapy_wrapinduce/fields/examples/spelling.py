"""Values as they are compared with those of examples."""

from __future__ import annotations

from html import unescape


def spaced(text: str) -> str:
    """A value with entities decoded and white space folded, in the letters that it is written with."""
    return " ".join(unescape(unescape(text)).split())


def plain(text: str) -> str:
    """A value as it is compared: entities, case and white space do not count."""
    if "&" in text:
        text = unescape(unescape(text))
    return " ".join(text.replace("\xa0", " ").split()).casefold()
