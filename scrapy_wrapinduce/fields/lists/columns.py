"""The fields of aligned records, as people want them: labelled values apart, captions left out."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import TYPE_CHECKING

from ...labels import LabelledPage, Record, Span
from ...names import slug
from ...records.tree import tree_of
from ...records.wrapper import value_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from ..sample.texts import Sample

LABELLED_SHARE = 0.8  # of a field's values: how many must have a label for it to be divided
CAPTION_SHARE = 0.8  # of a field's values: so many template texts or the same, and it says nothing


def spans_of(record: Record, name: str) -> tuple[Span, ...]:
    at = record.values.get(name, ())
    return (at,) if isinstance(at, Span) else at


def by_label(labelled: Sequence[LabelledPage], sample: Sample) -> list[LabelledPage]:
    """Fields of several values divided where each value has a label of its own: Location, Tuition, Size."""
    records = [record for page in labelled for record in page.records]
    names = {
        name for record in records for name, at in record.values.items() if not isinstance(at, Span)
    }
    divided = {name for name in names if _has_labels(labelled, name, sample)}
    if not divided:
        return list(labelled)
    found = []
    for page in labelled:
        changed = []
        for record in page.records:
            values = {name: at for name, at in record.values.items() if name not in divided}
            for name in divided:
                for span in spans_of(record, name):
                    label = slug(_label(page, span, sample))
                    if label:
                        values.setdefault(label, span)
            changed.append(Record(values))
        found.append(LabelledPage(page.page, tuple(changed)))
    return found


def _has_labels(labelled: Sequence[LabelledPage], name: str, sample: Sample) -> bool:
    total = having = repeated = 0
    for page in labelled:
        for record in page.records:
            labels = [_label(page, span, sample) for span in spans_of(record, name)]
            total += len(labels)
            said = [label for label in labels if label]
            having += len(said)
            repeated += len(said) - len(set(said))
    return having >= LABELLED_SHARE * total and repeated < 0.1 * total


def _label(page: LabelledPage, span: Span, sample: Sample) -> str:
    """The text right before a value, where it is a caption."""
    tree = tree_of(page.page)
    before = tree.texts_in(0, tree.item_at(span.start))
    if not before:
        return ""
    text = value_of(tree.html, Span(tree.start[before[-1]], tree.end[before[-1]]))
    marked = tree.name[tree.parent[before[-1]]] in ("th", "dt", "label")
    known = text.endswith(":") or marked or text in sample.template
    return text if known and sample.may_be_label(text) else ""


def without_captions(labelled: Sequence[LabelledPage], sample: Sample) -> list[LabelledPage]:
    """The records without fields that only repeat the template's words."""
    values: dict[str, list[str]] = defaultdict(list)
    for page in labelled:
        for record in page.records:
            for name in record.values:
                values[name] += (value_of(page.page.html, span) for span in spans_of(record, name))
    wanted = {name for name, texts in values.items() if not _are_captions(texts, sample)}
    found = []
    for page in labelled:
        kept = [
            Record({name: at for name, at in record.values.items() if name in wanted})
            for record in page.records
        ]
        records = tuple(record for record in kept if record.values)
        if records:
            found.append(LabelledPage(page.page, records))
    return found


def _are_captions(texts: Iterable[str], sample: Sample) -> bool:
    seen = Counter(texts)
    template = sum(count for text, count in seen.items() if text in sample.template)
    commonest = seen.most_common(1)[0][1]
    total = seen.total()
    return template >= CAPTION_SHARE * total or (total > 5 and commonest >= CAPTION_SHARE * total)
