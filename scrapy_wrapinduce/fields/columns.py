"""Candidates as columns: what each holds on the sample pages, what stands around it, what it could be called.

A column's *label* is the template text in front of its values, its *role* what the tag around them says.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from itertools import dropwhile
from typing import TYPE_CHECKING

from ..texts import node_texts
from ..tokenizer import INLINE
from .elements import LABEL_TAGS, enclosing, holder, leaves_a_list
from .embedded import LONGEST, comparable, type_of
from .markup import is_prose, mostly_sentences
from .sample import LABEL_LENGTH, Sample
from .surroundings import is_home

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..landmark.candidates import Candidate
    from ..tokenizer import Tag

LABEL_SHARE = 0.6  # of a column's pages: how many must show the same label
STEADY_SHARE = 0.9  # of a column's pages: with fewer the label is not its label but a neighbour's
APART_SHARE = (
    0.2  # of a column's pages: how many may begin with an element of another kind than goes on
)
LABELS_SHARE = (
    0.1  # of the texts of a column: with more of them from the template it is several things
)
HEADING_TAGS = frozenset(("h1", "h2", "h3", "h4", "h5", "h6", "strong", "b", "legend", "caption"))
CONTROL_TAGS = frozenset(("button", "option", "select", "textarea", "summary"))
TRAIL_SIGNS = frozenset("›»>→/|•·")  # what stands in front of these is a step of a trail, no label
MOST_NODES = 80
MOST_FLOWING_NODES = 1000  # those of a long article
NEAR_TAGS = 4
ELEMENT_PAGES = 5
ELEMENT_SHARE = 0.8
_WORD = re.compile(r"\w")


@dataclass(frozen=True)
class Column:
    """One candidate over the sample."""

    candidate: Candidate
    sample: Sample

    @cached_property
    def values(self) -> list[list[str]]:
        """The column's text nodes on every page that has it; lone punctuation is left out."""
        found: list[list[str]] = []
        for page, extent in enumerate(self.candidate.extents):
            most = MOST_FLOWING_NODES if self.candidate.flowing else MOST_NODES
            if extent is None or extent.last - extent.first > most:
                found.append([])
                continue
            texts = self.sample.texts[page]
            if self.candidate.flowing:
                nodes = self.sample.flowing[page].texts_of(extent)
                found.append([text for text in nodes if _WORD.search(text)])
            elif texts.extents[extent.first] is extent:
                wordy = texts.wordy[extent.first]
                found.append([texts.folded[extent.first]] if wordy else [])
            else:
                nodes = node_texts(texts, extent)
                found.append([text for text in nodes if _WORD.search(text)])
        return found

    @cached_property
    def coverage(self) -> float:
        """Share of the pages with a value."""
        return sum(map(bool, self.values)) / max(1, self.sample.size)

    @cached_property
    def distinct(self) -> int:
        """How many different values there are."""
        return len({tuple(value) for value in self.values if value})

    @cached_property
    def node_counts(self) -> list[int]:
        return [len(value) for value in self.values if value]

    @cached_property
    def single(self) -> bool:
        """Whether a value is one text node on every page."""
        return max(self.node_counts, default=0) <= 1

    @cached_property
    def cut(self) -> bool:
        """Whether values are parts of text nodes."""
        for page, extent in enumerate(self.candidate.extents):
            if extent is not None:
                texts = self.sample.texts[page]
                if (
                    extent.start > texts.starts[extent.first]
                    or extent.end < texts.ends[extent.last - 1]
                ):
                    return True
        return False

    @cached_property
    def commonest_share(self) -> float:
        """Share of the pages with a value that have the commonest one."""
        counts = Counter(tuple(value) for value in self.values if value)
        return counts.most_common(1)[0][1] / counts.total() if counts else 1.0

    @cached_property
    def homogeneous(self) -> bool:
        """Whether the text nodes of a value are alike: a list of genres, not the lines of an address."""
        if self.candidate.flowing and self.is_text:
            texts = [text for value in self.values for text in value]
            return sum(map(self.sample.recurs, texts)) <= LABELS_SHARE * len(texts)
        by_place: list[list[str]] = [[], [], []]
        for value in self.values:
            for place, text in zip(by_place, value, strict=False):
                place.append(text)
        first, second = by_place[0], by_place[1]
        if len(second) < 2:
            return True
        if self._in_different_elements:
            return False
        if self.sample.alone and self._in_like_elements:
            return True
        # A number in one sentence and none in the next says nothing.
        shapes = [Counter(map(shape, place)).most_common(1)[0][0] for place in by_place if place]
        if len(set(shapes)) > 1 and not self.is_text:
            return False
        shared = set(first) & set(second)
        few = len(set(first)) <= len(first) / 2 and len(set(second)) <= len(second) / 2
        return bool(shared) or not few

    @cached_property
    def _in_different_elements(self) -> bool:
        """Whether the first and the second text node of a value stand in elements of different kinds."""
        kinds: tuple[Counter[str], Counter[str]] = (Counter(), Counter())
        for page in self.candidate.pages:
            extent = self.candidate.extents[page]
            if extent is not None and extent.last - extent.first > 1:
                for place, seen in enumerate(kinds):
                    tags = enclosing(self.sample.texts[page], extent.first + place, most=1)
                    if tags:
                        seen[f"{tags[0].name} {tags[0].get('class')}"] += 1
        first, second = kinds
        apart = sum(count for kind, count in first.items() if not second[kind])
        return bool(second) and apart > APART_SHARE * first.total()

    @property
    def _in_like_elements(self) -> bool:
        """Whether each text node of the first page is an entry of a list, or in an element of one class.

        Of a single page there are no other values to compare with.
        """
        extent = self.candidate.extents[0]
        if extent is None or extent.last - extent.first > MOST_NODES:
            return False
        kinds = set()
        for node in range(extent.first, extent.last):
            tags = enclosing(self.sample.texts[0], node, NEAR_TAGS)
            if not tags or not (tags[0].get("class") or any(tag.name == "li" for tag in tags)):
                return False
            kinds.add((tags[0].name, tags[0].get("class")))
        return len(kinds) == 1

    @property
    def by_label(self) -> bool:
        """Whether it is found by the text in front of it."""
        return any(at.label for at in self.candidate.locators)

    @cached_property
    def partial(self) -> bool:
        """Whether it is one of a number of text nodes that differs from page to page."""
        return all(at.take for at in self.candidate.locators) and self.candidate.ragged

    @cached_property
    def template_share(self) -> float:
        """How much of what the column holds is on most pages."""
        return self._share(self.sample.template_nodes)

    @cached_property
    def shifting(self) -> bool:
        """Whether its values are texts of the template, another one from page to page: labels of other fields.

        An entry of the menu may well be a value too; then it is on the page a second time.
        """
        if self.template_share <= 0.5:
            return False
        labels = sum(
            self.sample.is_template[page][extent.first]
            and self.sample.texts[page].folded.count(self.sample.texts[page].folded[extent.first])
            == 1
            for page, extent in enumerate(self.candidate.extents)
            if extent is not None
        )
        return labels / len(self.candidate.pages) > max(0.5, self.commonest_share + 0.2)

    @cached_property
    def outside_share(self) -> float:
        """How much of what the column holds is not about what the page is about."""
        return self._share(self.sample.outside_nodes)

    def _share(self, count: Callable[[int, int, int], int]) -> float:
        held = counted = 0
        for page, extent in enumerate(self.candidate.extents):
            if extent is not None:
                held += extent.last - extent.first
                counted += count(page, extent.first, extent.last)
        return counted / held if held else 1.0

    @cached_property
    def _labels(self) -> Counter[str]:
        """The label-like texts in front of the values, with the number of pages; "" where there is none."""
        return Counter(
            self._text_before(page, extent.first, extent.start)
            for page, extent in enumerate(self.candidate.extents)
            if extent is not None
        )

    @cached_property
    def label(self) -> str:
        """The template text in front of the values, or nothing."""
        if not self._labels:
            return ""
        text, count = self._labels.most_common(1)[0]
        return text if count >= LABEL_SHARE * self._labels.total() else ""

    @cached_property
    def named(self) -> bool:
        """Whether the page itself says what it is: by a label marked as one, or by markup."""
        if any(tag.get("itemprop") or tag.get("property") for tag in self.tags):
            return True
        return self.surely_labelled

    @cached_property
    def _label_is_marked(self) -> bool:
        for page, extent in enumerate(self.candidate.extents):
            if extent is not None and extent.first:
                return self._after_marked_label(page, extent.first)
        return False

    @cached_property
    def label_is_near(self) -> bool:
        """Whether few tags stand between the label and the value, as in one row."""
        for page, extent in enumerate(self.candidate.extents):
            if extent is not None and extent.first and self.label:
                texts = self.sample.texts[page]
                if extent.start > texts.starts[extent.first]:
                    return True
                return texts.parts[extent.first] - texts.parts[extent.first - 1] <= 2 * NEAR_TAGS
        return False

    @cached_property
    def heads_a_text(self) -> bool:
        """Whether the label may be that of a longer text: a heading, or marked as a label."""
        if self.surely_labelled:
            return True
        for page, extent in enumerate(self.candidate.extents):
            if extent is not None and extent.first:
                tags = enclosing(self.sample.texts[page], extent.first - 1, most=1)
                return bool(tags) and tags[0].name in HEADING_TAGS
        return False

    @cached_property
    def surely_labelled(self) -> bool:
        """Whether what stands in front can be nothing but a label."""
        return bool(self.label) and self._label_is_marked

    @cached_property
    def drifting(self) -> bool:
        """Whether it is different things on different pages: what is in front of it says so."""
        if self.by_label or not self._labels or (self.tags and self.tags[0].name == "h1"):
            return False
        if not self.single and self.is_prose and self.homogeneous:
            # The paragraphs of a text are one thing, with or without a picture above them.
            return False
        text, count = self._labels.most_common(1)[0]
        if all(at.take for at in self.candidate.locators) and text:
            return count < STEADY_SHARE * self._labels.total()
        other = sum(
            self._text_before(page, extent.first, extent.start) != text
            and (
                self._after_marked_label(page, extent.first)
                or self._after_template_text(page, extent.first)
            )
            for page, extent in enumerate(self.candidate.extents)
            if extent is not None
        )
        return other > (1 - STEADY_SHARE) * self._labels.total()

    def _after_marked_label(self, page: int, first: int) -> bool:
        if not first:
            return False
        head = self.sample.heads[page].get(first)
        if head is not None:
            return bool(head)
        texts = self.sample.texts[page]
        tags = enclosing(texts, first - 1, most=1)
        return texts.folded[first - 1].endswith(":") or (bool(tags) and tags[0].name in LABEL_TAGS)

    def _after_template_text(self, page: int, first: int) -> bool:
        return bool(first) and self.sample.is_template[page][first - 1]

    def _text_before(self, page: int, first: int, start: int) -> str:
        texts = self.sample.texts[page]
        if start > texts.starts[first]:
            inside = " ".join(texts.page.html[texts.starts[first] : start].split())
            return inside if len(inside) <= LABEL_LENGTH and "<" not in inside else ""
        head = self.sample.heads[page].get(first)
        if head is not None:
            return head if self.sample.may_be_label(head) else ""
        for index in range(first - 1, max(-1, first - 4), -1):
            text = texts.folded[index]
            if not _WORD.search(text):
                if not TRAIL_SIGNS.isdisjoint(text):
                    return ""
                continue
            return text if self._may_be_label(page, index, first) else ""
        return ""

    def _may_be_label(self, page: int, index: int, first: int) -> bool:
        """Whether a text node may be the label of another behind it."""
        texts = self.sample.texts[page]
        text = texts.folded[index]
        if not self.sample.may_be_label(text) or self.sample.flowing[page].holds(index):
            return False
        around = enclosing(texts, index, most=1)
        name = around[0].name if around else ""
        if text.endswith(":") or name in LABEL_TAGS:
            return True
        if name in CONTROL_TAGS or self.sample.size == 1 or text in self.sample.alternatives:
            return False
        if leaves_a_list(texts, index, first):
            return False
        # Of two links in a row the first is no label, but a step of a trail or an entry of a menu.
        behind = enclosing(texts, first, most=1)
        return not (name == "a" and behind and behind[0].name == "a")

    @cached_property
    def heading(self) -> str:
        """The heading that most values stand under, or nothing."""
        seen = Counter(
            self.sample.headings[page][extent.first]
            for page, extent in enumerate(self.candidate.extents)
            if extent is not None
        )
        text, count = seen.most_common(1)[0] if seen else ("", 0)
        return text if count >= LABEL_SHARE * seen.total() else ""

    @cached_property
    def tags(self) -> tuple[Tag, ...]:
        """The start tags right before the values, innermost first, as most pages have them."""
        seen: Counter[tuple[Tag, ...]] = Counter()
        for page, extent in enumerate(self.candidate.extents):
            if extent is not None:
                seen[self._tags_before(page, extent.first)] += 1
        return seen.most_common(1)[0][0] if seen else ()

    def _tags_before(self, page: int, node: int) -> tuple[Tag, ...]:
        around = enclosing(self.sample.texts[page], node, most=2 * NEAR_TAGS)
        if self.candidate.flowing:
            # Emphasis at the beginning of a sentence says nothing about the text.
            around = tuple(dropwhile(lambda tag: tag.name in INLINE, around)) or around
        return around[:2]

    @cached_property
    def _property(self) -> tuple[str, str]:
        """What the pages' schema.org or OpenGraph data calls these values and takes them for."""
        seen: Counter[tuple[str, str]] = Counter()
        for value, known in zip(self.values, self.sample.embedded, strict=False):
            if value and known:
                compared = comparable(" ".join(value)[:LONGEST])
                name = known.get(compared, "")
                seen[name, type_of(name, compared)] += 1
        names = Counter(name for name, _ in seen.elements())
        name, count = names.most_common(1)[0] if names else ("", 0)
        varied = self.distinct > 1 or self.sample.size == 1
        if not name or not varied or count < LABEL_SHARE * names.total():
            return "", ""
        return max((one for one in seen if one[0] == name), key=seen.__getitem__)

    @property
    def embedded(self) -> str:
        """The name in the pages' data for machines, on most pages that have such data; or nothing."""
        return self._property[0]

    @property
    def embedded_type(self) -> str:
        """The type in the pages' data for machines: ``number``, ``date`` or ``text``; nothing if they say none."""
        return self._property[1]

    @cached_property
    def element(self) -> Tag | None:
        """The element that holds just this column, on most of the first pages, if there is one."""
        seen: Counter[Tag | None] = Counter()
        # Where there is one value, the smallest element around it is that of the value, not of the list.
        telling = [
            page for page in self.candidate.pages if self.single or len(self.values[page]) > 1
        ]
        for page in telling[:ELEMENT_PAGES]:
            extent = self.candidate.extents[page]
            if extent is not None:
                seen[holder(self.sample.texts[page], extent)] += 1
        names = Counter(tag.name for tag in seen.elements() if tag is not None)
        if not names or names.most_common(1)[0][1] < ELEMENT_SHARE * seen.total():
            return None
        name = names.most_common(1)[0][0]
        return next(tag for tag, _ in seen.most_common() if tag is not None and tag.name == name)

    @cached_property
    def in_title(self) -> float:
        """Share of the pages whose title repeats the value: that is what the page is about."""
        if not self.single or any(tag.name == "title" for tag in self.tags):
            return 0.0
        hits = 0
        for value, title in zip(self.values, self.sample.titles, strict=True):
            if value and len(value[0]) > 2:
                text = value[0].casefold()
                hits += text in title or (len(title) > 2 and title in text)
        return hits / len(self.node_counts) if self.node_counts else 0.0

    @cached_property
    def in_trail(self) -> bool:
        """Whether it follows a link to the site's front page: a step on the way to the page."""
        if self.tags and self.tags[0].name == "h1":
            return False
        hits = 0
        for page in self.candidate.pages:
            extent = self.candidate.extents[page]
            texts = self.sample.texts[page]
            before = extent.first - 1 if extent is not None else -1
            while before > 0 and not _WORD.search(texts.folded[before]):
                before -= 1
            if before >= 0:
                tags = enclosing(texts, before)
                hits += any(is_home(tag.get("href")) for tag in tags if tag.name == "a")
        return 2 * hits > len(self.candidate.pages) and not self.is_prose

    @cached_property
    def is_prose(self) -> bool:
        """Whether values are sentences rather than names and numbers."""
        return is_prose([text for value in self.values for text in value])

    @cached_property
    def is_text(self) -> bool:
        """Whether most of what it holds are sentences; headings and short lines may stand among them."""
        return mostly_sentences([text for value in self.values for text in value])

    @cached_property
    def position(self) -> float:
        """Where on the page it stands, from 0 to 1, as a mean."""
        places = [
            extent.first / max(1, len(self.sample.texts[page].starts))
            for page, extent in enumerate(self.candidate.extents)
            if extent is not None
        ]
        return sum(places) / len(places) if places else 1.0


def shape(text: str) -> str:
    """What kind of text it is, roughly.

    >>> shape("(406) 756-3822"), shape("777 Grandview Drive"), shape("www.fvcc.edu"), shape("Drama")
    ('number', 'numbered', 'address', 'words')
    """
    if len(text) > 80:
        return "words"
    if "@" in text or "://" in text or text.startswith("www."):
        return "address"
    digits = sum(map(str.isdigit, text))
    letters = sum(map(str.isalpha, text))
    if digits > letters:
        return "number"
    return "numbered" if digits else "words"
