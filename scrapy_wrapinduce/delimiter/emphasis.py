"""Values of which some, but not all, begin or end in emphasis: result lists mark the words that
were searched for.

Where ``<b>`` stands before only some values of a field it belongs to the value, not to the
template; tags are left out of what is read.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from .examples import Example
from .vector import Event

if TYPE_CHECKING:
    from collections.abc import Sequence

_LONGEST_TAG = 200
_NAMES = "b|i|u|em|strong|mark|span|font|small"
_OPENS = re.compile(rf"\s*<(?:{_NAMES})(?:\s[^<>]*)?>\s*\Z", re.IGNORECASE)
_CLOSES = re.compile(rf"\s*</(?:{_NAMES})\s*>\s*", re.IGNORECASE)


def with_emphasis(examples: Sequence[Example], attributes: int) -> list[Example] | None:
    """The labels with emphasis that not all values of a field have as part of the values, or
    nothing where there is none."""
    opened: list[list[int]] = [[] for _ in range(attributes)]
    closed: list[list[int]] = [[] for _ in range(attributes)]
    for example in examples:
        for at, event in enumerate(example.events):
            opened[event.attribute].append(event.start - _open(example, at))
            closed[event.attribute].append(_close(example, at) - event.end)
    open_varies = [any(lengths) and not all(lengths) for lengths in opened]
    close_varies = [any(lengths) and not all(lengths) for lengths in closed]
    if not any(open_varies) and not any(close_varies):
        return None
    widened = []
    for example in examples:
        events = [
            Event(
                event.attribute,
                _open(example, at) if open_varies[event.attribute] else event.start,
                _close(example, at) if close_varies[event.attribute] else event.end,
            )
            for at, event in enumerate(example.events)
        ]
        widened.append(Example(example.html, tuple(events), example.number))
    return widened


def _open(example: Example, at: int) -> int:
    """Where the emphasis in front of a value begins."""
    start = example.events[at].start
    before = example.events[at - 1].end if at else 0
    found = _OPENS.search(example.html, max(before, start - _LONGEST_TAG), start)
    return found.start() if found else start


def _close(example: Example, at: int) -> int:
    """Where the emphasis behind a value ends."""
    end = example.events[at].end
    last = at + 1 == len(example.events)
    stop = len(example.html) if last else example.events[at + 1].start
    found = _CLOSES.match(example.html, end, min(stop, end + _LONGEST_TAG))
    return found.end() if found else end
