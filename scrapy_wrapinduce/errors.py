"""What can go wrong, as sentences a user can act on."""

from __future__ import annotations

MOST_SAID = 400  # letters


class WrapinduceError(Exception):
    """Base of all errors raised on purpose by this package."""


class CannotInduce(WrapinduceError):
    """No wrapper can be learned; the message names the page or field that stands in the way."""


class CannotRepair(WrapinduceError):
    """A wrapper cannot be carried over to changed pages; the message says why."""


class InvalidWrapper(WrapinduceError):
    """A wrapper file is not one that can be read; the message says where it is wrong."""


def in_a_line(message: str) -> str:
    """A message that may quote a whole file, as one line that can be read."""
    line = " ".join(message.split())
    return line if len(line) <= MOST_SAID else line[:MOST_SAID].rstrip() + "…"
