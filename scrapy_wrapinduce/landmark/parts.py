"""Values that are less than a text node, or no text at all: a part of a text, an attribute of a tag."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from ..errors import InvalidWrapper
from ..tokenizer import fold
from .attributes import DATA_ATTRIBUTES, tags_between

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..outline import Outline
    from ..page import Page
    from ..tokenizer import Attribute, Tag
    from .read import Nonterminal, Reading

# What tells tags of one name apart, the most telling first.
MARKS = ("itemprop", "property", "name", "rel", "id", "class")


class Part(NamedTuple):
    """What of a text is the value: what stands between two constant texts (empty: the text's ends)."""

    before: str = ""
    after: str = ""

    def cut(self, text: str) -> str | None:
        """The part, or None where the text has none.

        >>> Part("MSRP: ", " (").cut("MSRP: $34,020 (new)"), Part("MSRP: ").cut("Call us")
        ('$34,020', None)
        """
        start = text.find(self.before)
        if start < 0:
            return None
        start += len(self.before)
        end = text.find(self.after, start) if self.after else -1
        return text[start : end if end >= 0 else len(text)].strip() or None

    @classmethod
    def from_data(cls, data: Any) -> Part | None:
        if data is None:
            return None
        if not isinstance(data, list) or [type(text) for text in data] != [str, str]:
            raise InvalidWrapper(f"not a part of a text: {data!r}")
        return cls(*data)


class AttributeAt(NamedTuple):
    """An attribute: in which region, of which tags, and of which of those (n-th from the front, or the back).

    ``mark`` and ``says`` name an attribute that tells the tag from others, and its value; or are empty.
    """

    nonterminal: Nonterminal
    tag: str
    attribute: str
    mark: str
    says: str
    take: int

    def read(self, page: Page, reading: Reading) -> tuple[str, int, int] | None:
        """The value and its place."""
        region = reading.regions.get(self.nonterminal)
        if region is None:
            return None
        found = list(self._places(reading.outline, *region))
        index = self.take - 1 if self.take > 0 else self.take
        if not -len(found) <= index < len(found):
            return None
        start, end = found[index]
        return fold(page.html[start:end]), start, end

    def _places(self, outline: Outline, start: int, end: int) -> Iterator[tuple[int, int]]:
        for offset, tag in tags_between(outline, start, end):
            if tag.name == self.tag and (not self.mark or tag.get(self.mark) == self.says):
                for at in tag.attributes:
                    if at.name == self.attribute and may_hold_data(at):
                        yield offset + at.start, offset + at.end

    def to_data(self) -> list[Any]:
        return [*self.nonterminal, *self[1:]]

    @classmethod
    def from_data(cls, data: Any) -> AttributeAt:
        kinds = [int, int, str, str, str, str, int]
        if not isinstance(data, list) or [type(part) for part in data] != kinds or not data[6]:
            raise InvalidWrapper(f"not the place of an attribute: {data!r}")
        return cls((data[0], data[1]), *data[2:])


def may_hold_data(at: Attribute) -> bool:
    return bool(at.value) and (at.name in DATA_ATTRIBUTES or at.name.startswith("data-"))


def attributes_in(
    outline: Outline, start: int, end: int
) -> Iterator[tuple[tuple[Tag, str], int, int]]:
    """The attributes between two places of the source that may hold data, with the places of their values."""
    for offset, tag in tags_between(outline, start, end):
        for at in tag.attributes:
            if may_hold_data(at):
                yield (tag, at.name), offset + at.start, offset + at.end
