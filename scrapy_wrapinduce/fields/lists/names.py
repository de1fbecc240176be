"""What a list of records and its fields are called: by the heading above, by heads of columns, by markup."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from typing import TYPE_CHECKING

from ...names import slug
from ...records.tree import tree_of
from ...records.wrapper import value_of
from ..columns.markup import markup_name
from ..columns.naming import make_distinct
from .columns import spans_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ...labels import Span
    from ...page import Page
    from ...records import Discovery, FoundField
    from ...records.tree import Tree
    from ..sample.texts import Sample
    from .repeats import Repeat

HEADINGS = frozenset("h1 h2 h3 h4 h5 h6 caption legend summary".split())
MARKED = frozenset("th dt strong b".split())
MOST_BACK = 12  # texts before a list among which its heading is looked for
NEAR = 3  # texts before a list: what is only marked must be among these
LABEL_LENGTH = 50
NAME_SHARE = 0.6
CELLS = frozenset(("td", "th"))
SHORT = 60  # a longer text is no name
_COUNT = re.compile(r"\s*[(\[]?\b\d[\d.,]*\b[)\]]?\s*")
_NUMBER = re.compile(r"_\d+$")
# Words above boxes of other things, in the languages of many sites.
_RELATED = re.compile(
    r"\b(?:related|similar|also|recommend\w*|recently|sponsored|popular|trending|latest|compar\w+|suggest\w*|"
    r"you (?:may|might)|more (?:from|by|like|in)|other \w+|people who|customers who|accessor\w+|"
    r"ähnlich\w*|verwandte\w*|auch|empfehl\w*|zubehör|similaires?|recommand\w*|aussi|"
    r"relacionad\w*|también|recomendad\w*|também|correlat\w+|consigliat\w+|anche|"
    r"похожие|также|рекоменд\w*)\b|関連|おすすめ|相关|相關|推荐|推薦|猜你喜欢|مشابه|ذات صلة",
    re.IGNORECASE,
)


def is_related(heading: str) -> bool:
    """Whether a heading stands above a box of other things; a name made of one says it as well.

    >>> is_related("Customers who bought this also bought"), is_related("also_viewed")
    (True, True)
    >>> is_related("Customer reviews")
    False
    """
    return _RELATED.search(heading.replace("_", " ")) is not None


def heading_of(pages: Sequence[Page], repeat: Repeat, sample: Sample) -> str:
    """The text above a list on most of its pages, or nothing."""
    seen: Counter[str] = Counter()
    for number, one in repeat.on_page.items():
        tree = tree_of(pages[number])
        first = min(region[0] for region in (*one.regions, *repeat.heads[number]))
        node = bisect_left(sample.texts[number].starts, tree.start[first])
        over = sample.headings[number][node] if node < len(sample.headings[number]) else ""
        seen[_heading(tree, first, sample) or over] += 1
    text, count = seen.most_common(1)[0]
    return text if count >= NAME_SHARE * seen.total() else ""


def _heading(tree: Tree, first: int, sample: Sample) -> str:
    at = bisect_left(tree.texts, first)
    near = marked = ""
    for back, item in enumerate(reversed(tree.texts[max(0, at - MOST_BACK) : at])):
        text = tree.text(item)
        # "Reviews (7)" says how many there are.
        text, counted = _COUNT.subn("", text)
        if not slug(text) or not (counted or sample.may_be_label(text)):
            continue
        around = {tree.name[one] for one in tree.ancestors(item)[:2]}
        if around & HEADINGS:
            return text
        if back < NEAR and around & MARKED:
            marked = marked or text
        elif not back and text in sample.template:
            near = text
    return marked or near


def list_name(heading: str, pages: Sequence[Page], repeat: Repeat) -> str:
    """A name for a list: its heading, else what the elements around it are called."""
    if slug(heading):
        return slug(heading)
    seen: Counter[str] = Counter()
    for number, one in repeat.on_page.items():
        tree = tree_of(pages[number])
        first = one.regions[0][0]
        for item in (*tree.ancestors(first)[:2], first):
            tag = tree.tag[item]
            name = (
                markup_name(tag.get("class") or "") or markup_name(tag.get("id") or "")
                if tag is not None
                else ""
            )
            if name:
                seen[name] += 1
                break
    name, count = seen.most_common(1)[0] if seen else ("", 0)
    return name if count >= NAME_SHARE * len(repeat.on_page) else "records"


def field_names_of(
    pages: Sequence[Page], repeat: Repeat, discovery: Discovery, sample: Sample
) -> dict[str, str]:
    """For the fields of a list that are texts: the name by alignment, and the better one."""
    texts = [field for field in discovery.fields if field.kind == "text"]
    heads = _column_heads(pages, repeat, discovery, sample)
    wishes = [heads.get(field.name) or _NUMBER.sub("", field.name) for field in texts]
    if "text" in wishes[:1] and not {"title", "name"} & set(wishes) and _short(discovery, texts[0]):
        wishes[0] = "name"
    return dict(zip((field.name for field in texts), make_distinct(wishes), strict=True))


def _short(discovery: Discovery, field: FoundField) -> bool:
    """Whether values may be names, by their length."""
    values = [
        value_of(page.page.html, span)
        for page in discovery.labelled
        for record in page.records
        for span in spans_of(record, field.name)
    ]
    return 2 * sum(len(text) <= SHORT for text in values) > len(values)


def _column_heads(
    pages: Sequence[Page], repeat: Repeat, discovery: Discovery, sample: Sample
) -> dict[str, str]:
    """The heads above the values of each field, where the list is the rows of a table."""
    numbers = {id(pages[number]): number for number in repeat.on_page}
    seen: dict[str, Counter[str]] = {}
    for labelled in discovery.labelled:
        number = numbers[id(labelled.page)]
        tree = tree_of(labelled.page)
        rows = [_cells(tree, *region) for region in repeat.heads[number]]
        rows = [row for row in rows if len(row) > 1]
        for record in labelled.records[:3]:
            for name in record.values:
                head = _head(tree, spans_of(record, name)[0], rows, sample, number)
                if head:
                    seen.setdefault(name, Counter())[head] += 1
    return {name: slug(counts.most_common(1)[0][0]) for name, counts in seen.items()}


def _head(
    tree: Tree, span: Span, rows: Sequence[Sequence[str]], sample: Sample, number: int
) -> str:
    texts = sample.texts[number]
    node = texts.between(span.start, span.end)[0]
    head = sample.heads[number].get(node)
    if head:
        return head
    item = tree.item_at(span.start)
    cell = next((one for one in (item, *tree.ancestors(item)) if tree.name[one] in CELLS), -1)
    if cell < 0 or not rows:
        return ""
    place = sum(tree.name[one] in CELLS for one in tree.children(tree.parent[cell]) if one < cell)
    width = sum(tree.name[one] in CELLS for one in tree.children(tree.parent[cell]))
    fitting = [row for row in rows if len(row) == width]
    return fitting[-1][place] if fitting else ""


def _cells(tree: Tree, first: int, stop: int) -> list[str]:
    """What the cells of a row say, one text each."""
    found = []
    for item in range(first, stop):
        if tree.name[item] in CELLS:
            words = [tree.text(text) for text in tree.texts_in(item, tree.stop[item])]
            found.append(" ".join(words))
    return found
