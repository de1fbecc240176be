"""Damage the template of a page on purpose: landmarks that are missing, or there twice.

What is damaged does not depend on any wrapper: tags and texts that stand exactly once on the page, and with the very same
source on most pages of the sample. Each of them is hit with a given probability, drawn from a seed; half of the hits take
it away (the tags of an element, not what is inside), the others put a copy in front of it. Values stay.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet

from scrapy_wrapinduce.page import Page
from scrapy_wrapinduce.tokenizer import OPEN, fold

USUAL = 0.75  # of the sample must have what counts as template


def template_of(sample: Sequence[Page]) -> frozenset[str]:
    """The sources of tags and the texts that stand exactly once on most pages."""
    seen: Counter[str] = Counter()
    for page in sample:
        seen.update(_once(page))
    return frozenset(source for source, count in seen.items() if count >= USUAL * len(sample))


def damaged(
    page: Page, template: AbstractSet[str], values: Iterable[str], share: float, seed: str
) -> Page:
    """The page with a share of its landmarks missing or doubled; texts in ``values`` are left alone."""
    lots = random.Random(seed)
    once = _once(page) & template - set(values)
    parts = list(page.parts)
    for index, part in enumerate(page.parts):
        tag = page.tags[index >> 1] if index & 1 else None
        key = part if tag else fold(part)
        if key not in once or lots.random() >= share:
            continue
        missing = lots.random() < 0.5
        if tag is None:
            parts[index] = "" if missing else f"{part}<br>{part}"
        elif (partner := page.partners[index >> 1]) >= 0:
            if missing:
                parts[index] = parts[2 * partner + 1] = ""
            else:
                parts[index] = f"{part}</{tag.name}>{part}"
    return Page("".join(parts), page.url)


def _once(page: Page) -> set[str]:
    tags = Counter(tag.source for tag in page.tags if tag.kind == OPEN)
    texts = Counter(text for part in page.parts[::2] if (text := fold(part)))
    return {key for counts in (tags, texts) for key, count in counts.items() if count == 1}
