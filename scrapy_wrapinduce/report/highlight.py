"""A page with its fields marked in place: as it looks, and as it is written.

Pages are hostile. What is shown of them runs nothing and fetches nothing: the frame it is shown in has scripts
switched off and a policy that allows no address, and tags are written anew with harmless attributes only.
"""

from __future__ import annotations

import json
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from operator import attrgetter

from ..page import Page
from ..tokenizer import CLOSE, EMPTY, OPEN, Tag, is_blank
from ..wrapper import Place

POLICY = "default-src 'none'; style-src 'unsafe-inline'"
LONGEST_SOURCE = 400_000
# Elements that fetch, run or replace something, and those whose text holds no markup.
_LEFT_OUT = frozenset(
    "script iframe frame frameset object embed applet base meta link noscript audio video source "
    "track portal template svg math canvas dialog html head body".split()
)
_PLAIN_TEXT = frozenset("title textarea option select xmp plaintext noembed noframes".split())
_KEPT = frozenset(
    "class id style align valign width height border cellpadding cellspacing colspan rowspan bgcolor "
    "color size face dir lang alt title nowrap".split()
)
_VALUES = frozenset("href src content datetime alt title value".split())
_MARKS = """<style>
body { margin: 0; padding: 16px }
img { min-width: 2.4em; min-height: 1.5em; background: #ececec; color: #777; font-size: .8em }
.wi-template { opacity: .42 }
mark.wi { background: hsl(var(--hue) 90% 86%); color: #111; border-radius: 3px; box-shadow: 0 0 0 1px hsl(var(--hue) 55% 55%); padding: 0 .1em }
mark.wi::before { content: attr(data-wi-field); font: 600 10px/1.5 system-ui, sans-serif; background: hsl(var(--hue) 60% 30%);
  color: #fff; padding: 0 4px; margin: 0 4px 0 -.1em; border-radius: 3px 0 0 3px; letter-spacing: .01em; text-transform: none }
.wi-attribute { outline: 2px dashed hsl(var(--hue) 60% 45%); outline-offset: 1px }
.wi-landmark { outline: 1px dotted #8a8f98; outline-offset: 2px }
.wi-word { opacity: .7; text-decoration: underline dotted }
</style>"""

Hues = Mapping[str, int]


def hues(names: Sequence[str]) -> dict[str, int]:
    """A colour for each field; neighbours differ most."""
    return {name: round(index * 137.508) % 360 for index, name in enumerate(names)}


def hue_of(name: str, colours: Hues) -> int:
    """The colour of a field; those of a list have the list's.

    >>> hue_of("cast.role", {"title": 0, "cast": 138})
    138
    """
    return colours.get(name, colours.get(name.partition(".")[0], 0))


@dataclass(frozen=True, slots=True)
class View:
    """How a page is shown.

    Where it is ``clickable``, texts bear their place in the source, and elements the attributes that can be values;
    ``landmarks`` are the places in the source where the wrapper found its landmarks; ``cleaned`` says what is in the
    item of the value at a place.
    """

    colours: Hues
    clickable: bool = False
    landmarks: frozenset[int] = frozenset()
    longest: int = LONGEST_SOURCE
    cleaned: Callable[[Place], str] = attrgetter("value")


def rendered(page: Page, places: Sequence[Place], view: View) -> str:
    """The page as a document of its own, for a frame without scripts."""
    body = "".join(_bounded(_rendered_parts(page, _sorted(places), view), view.longest))
    policy = f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">'
    return f'<!DOCTYPE html><html><head><meta charset="utf-8">{policy}{_MARKS}</head><body>{body}</body></html>'


def source(page: Page, places: Sequence[Place], view: View) -> str:
    """The page's source as HTML, fields marked."""
    html = page.html[: view.longest]
    pieces = []
    for start, end, place in _cut(0, len(html), _sorted(places)):
        text = escape(html[start:end])
        pieces.append(text if place is None else _mark(place.field, text, view.colours))
    if len(page.html) > len(html):
        pieces.append(f"\n… {len(page.html) - len(html)} more characters")
    return "".join(pieces)


def _bounded(pieces: Iterable[str], longest: int) -> Iterator[str]:
    """Pieces until there are enough; browsers close what is left open."""
    for piece in pieces:
        longest -= len(piece)
        if longest < 0:
            yield "<p>… the page goes on</p>"
            return
        yield piece


def _rendered_parts(page: Page, places: list[Place], view: View) -> Iterator[str]:
    offsets, tags = page.part_offsets, page.tags
    starts = [place.start for place in places]
    plain = ""  # the element whose text can hold no markup, while in one
    for index, part in enumerate(page.parts):
        start, end = offsets[index], offsets[index + 1]
        if index % 2:
            tag = tags[index // 2]
            if tag.name in _PLAIN_TEXT and tag.kind in (OPEN, CLOSE):
                plain = tag.name if tag.kind == OPEN else ""
            inside = places[bisect_left(starts, start) : bisect_left(starts, end)]
            yield _rendered_tag(tag, part, inside, start, view)
        elif is_blank(part):
            yield part
        elif plain == "title":
            continue
        elif plain:
            yield _shown(part)
        else:
            low = max(bisect_right(starts, start) - 1, 0)
            near = places[low : bisect_left(starts, end)]
            if view.clickable:
                yield f'<span data-wi-start="{start}">'
            for first, last, place in _cut(start, end, near):
                text = _shown(page.html[first:last])
                if place is not None:
                    clean = view.cleaned(place) if view.clickable else place.value
                    yield _mark(
                        place.field, text, view.colours, clean if clean != place.value else ""
                    )
                elif text.strip():
                    words = "wi-word" if start in view.landmarks else "wi-template"
                    yield f'<span class="{words}">{text}</span>'
                else:
                    yield text
            if view.clickable:
                yield "</span>"


def _rendered_tag(tag: Tag, part: str, places: Sequence[Place], start: int, view: View) -> str:
    if tag.name == "style" and tag.kind not in (OPEN, CLOSE, EMPTY):
        return part
    if tag.kind not in (OPEN, CLOSE, EMPTY) or tag.name in _LEFT_OUT or not _is_plain(tag.name):
        return ""
    if tag.name == "title":
        return ""
    if tag.kind == CLOSE:
        return f"</{tag.name}>"
    given = {a.name: a.value for a in tag.attributes}
    if tag.name == "input" and given.get("type", "").strip().lower() == "hidden":
        return ""
    kept = {name: value for name, value in given.items() if name in _KEPT}
    if start in view.landmarks:
        kept["class"] = f"{kept.get('class', '')} wi-landmark"
    if places:
        kept["class"] = f"{kept.get('class', '')} wi-attribute"
        hue = hue_of(places[0].field, view.colours)
        kept["style"] = f"--hue:{hue};{kept.get('style', '')}"
        kept["title"] = ", ".join(f"{place.field}: {place.value}" for place in places)
        if view.clickable:
            kept["data-wi-fields"] = json.dumps([place.field for place in places])
    values = {name: value for name, value in given.items() if name in _VALUES and value}
    if view.clickable and values:
        kept |= {"data-wi-attributes": json.dumps(values), "data-wi-start": str(start)}
    words = "".join(f' {name}="{escape(value)}"' for name, value in kept.items())
    return f"<{tag.name}{words}>"


def _cut(start: int, end: int, places: Sequence[Place]) -> Iterator[tuple[int, int, Place | None]]:
    """A stretch of the source, cut where fields begin and end; of overlapping ones the first counts."""
    at = start
    for place in places:
        low, high = max(place.start, at), min(place.end, end)
        if low >= high:
            continue
        if low > at:
            yield at, low, None
        yield low, high, place
        at = high
    if at < end:
        yield at, end, None


def _mark(name: str, text: str, colours: Hues, value: str = "") -> str:
    hue = hue_of(name, colours)
    said = f' data-wi-value="{escape(value)}"' if value else ""
    return (
        f'<mark class="wi" style="--hue:{hue}" data-wi-field="{escape(name)}"{said}>{text}</mark>'
    )


def _shown(text: str) -> str:
    """Text of a page as text: its entities stay entities."""
    return text.replace("<", "&lt;").replace(">", "&gt;")


def _is_plain(name: str) -> bool:
    return name.isascii() and name.replace("-", "").isalnum()


def _sorted(places: Sequence[Place]) -> list[Place]:
    return sorted(places, key=lambda place: (place.start, -place.end))
