"""Item recovery: which column of a changed page is which field (Meng, Hu, Li 2003, section 3.2).

Values are mostly new after a redesign, so columns are compared with fields by all features at once. The
likeliest columns of each field are combined, and a combination is worth what its likenesses and its semantic
blocks together say: a column that looks right but does not go with the others loses.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from itertools import zip_longest
from typing import TYPE_CHECKING

from ..labels import Span
from .blocks import Block, configure
from .candidates import Candidate, Columns
from .features import Profile, profile
from .likeness import called, fit, likeness, named_as_rival
from .sightings import Observer
from .values import marks, syntax

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from ..records.tree import Tree
    from .health import FieldHealth, Health

_LEAST_VALUES = 2
_QUICKLY_LOOKED_AT = 24
_COLUMNS_COMPARED = 30
_COLUMNS_COMBINED = 12
_BEAM = 8
_LEAST_LIKENESS = 0.15
_FITTING = 0.2
_STRAY = 0.45
_CALLED = 0.1
_RIVAL = 0.75
_ECHO = 0.3
_EXPECTED_ECHO = 0.35
_SURE_ECHO = 0.8
_LEAST_ECHOES = 3
_NARROWED = 0.15
_AS_GOOD = 0.85
_ALWAYS = 0.9


@dataclass(frozen=True)
class Column:
    """A column of candidates taken for a field, and how alike they are."""

    candidates: tuple[Candidate, ...]
    likeness: float


@dataclass(frozen=True)
class Recovery:
    """A choice of one column per field, and the records that they make."""

    columns: dict[str, Column]
    records: tuple[Block, ...]
    score: float
    fullness: float = 0.0


def recover(tree: Tree, health: Health) -> list[Recovery]:
    """The likeliest recoveries of a list page's records, the best first."""
    kinds = {field.profile.kind for field in health.fields.values()}
    labels = {
        text for field in health.fields.values() for text in field.profile.annotations().values()
    }
    columns = Columns(tree, labels)
    columns.fill(kinds)
    offered = columns.distinct()
    observer = Observer(tree)
    ranked = {
        name: _ranked(name, field, offered, observer) for name, field in health.fields.items()
    }
    ranked = {name: found for name, found in ranked.items() if found}
    return _combine(tree, health, ranked)


def _ranked(
    name: str,
    field: FieldHealth,
    offered: Sequence[tuple[object, list[Candidate]]],
    observer: Observer,
) -> list[Column]:
    """The columns that are most like a field, best first."""
    healthy = field.profile
    quick = []
    for _, column in offered:
        if column[0].kind != healthy.kind or len(column) < _LEAST_VALUES:
            continue
        step = max(1, len(column) // _QUICKLY_LOOKED_AT)
        sample = column[::step]
        quick.append((sum(fit(healthy, c.value) for c in sample) / len(sample), column))
    quick.sort(key=lambda pair: -pair[0])
    found: dict[tuple[Span, ...], Column] = {}
    for _, column in quick[:_COLUMNS_COMPARED]:
        kept = _without_strays(healthy, column)
        places = tuple(c.span for c in kept)
        if len(kept) < _LEAST_VALUES or places in found:
            continue
        seen = [observer.see(c.span, c.value) for c in kept[:: max(1, len(kept) // 200)]]
        other = profile(seen)
        alike = likeness(healthy, other)
        alike += _CALLED * called(name, other)
        alike *= _RIVAL if named_as_rival(field.rivals, healthy, other) else 1.0
        alike *= (len(kept) / len(column)) ** 0.15
        found[places] = Column(tuple(kept), alike)
    best = sorted(found.values(), key=lambda column: -column.likeness)
    return [c for c in best[:_COLUMNS_COMBINED] if c.likeness >= _LEAST_LIKENESS]


def _without_strays(healthy: Profile, column: Sequence[Candidate]) -> list[Candidate]:
    """A column without values that can be none of the field's, where the field is so regular."""
    if not healthy.rigid or healthy.kind != "text":
        return list(column)
    kept = [c for c in column if fit(healthy, c.value) >= _STRAY]
    if len(kept) < _FITTING * len(column):
        return list(column)
    for word, at in ((healthy.constant_start, "first_word"), (healthy.constant_end, "last_word")):
        right = [c for c in kept if getattr(syntax(c.value), at) == word] if word else []
        kept = right if 5 * len(right) >= len(kept) and len(right) > 1 else kept
    return kept


def _combine(tree: Tree, health: Health, ranked: dict[str, list[Column]]) -> list[Recovery]:
    """Choose one column per field, a beam of choices at a time."""
    many, optional = _roles(health)
    order = sorted(ranked, key=lambda name: -ranked[name][0].likeness)
    beam: list[Recovery] = [Recovery({}, (), 0.0)]
    for name in order:
        grown = []
        for recovery in beam:
            taken = {c.span for column in recovery.columns.values() for c in column.candidates}
            for column in ranked[name]:
                if column.candidates[0].span in taken:
                    continue
                chosen = {**recovery.columns, name: column}
                choices = [chosen]
                blocks = configure(tree, _items(chosen), many, optional)
                narrow = _narrowed(health, name, chosen, blocks.records)
                choices += [narrow] if narrow else []
                for choice in choices:
                    if choice is not chosen:
                        blocks = configure(tree, _items(choice), many, optional)
                    worth = sum(one.likeness for one in choice.values()) / len(choice)
                    worth += _ECHO * (_echoed(health, name, blocks.records) or 0.0)
                    score = worth * (0.2 + 0.8 * blocks.fullness)
                    grown.append(Recovery(choice, blocks.records, score, blocks.fullness))
        if grown:
            beam = sorted(grown, key=lambda one: -one.score)[:_BEAM]
    return [_widened(tree, health, one, ranked) for one in beam if one.columns]


def _widened(
    tree: Tree, health: Health, recovery: Recovery, ranked: Mapping[str, Sequence[Column]]
) -> Recovery:
    """Take in records of other shapes: columns about as likely that make more full matches of the same kind."""
    many, optional = _roles(health)
    best = recovery
    for others in zip_longest(*(ranked[name] for name in recovery.columns)):
        wider = dict(best.columns)
        for name, column in zip(recovery.columns, others, strict=True):
            if column is None or column.likeness < _AS_GOOD * recovery.columns[name].likeness:
                continue
            wider[name] = _joined(wider[name], column)
        if wider == best.columns:
            continue
        blocks = configure(tree, _items(wider), many, optional)
        more = _full(blocks.records, recovery.columns) > _full(best.records, recovery.columns)
        if any(_fell_silent(health, name, best.records, blocks.records) for name in wider):
            continue
        if more and blocks.fullness >= _AS_GOOD * best.fullness:
            best = Recovery(wider, blocks.records, recovery.score, blocks.fullness)
    return best


def _joined(one: Column, other: Column) -> Column:
    taken = sorted(c.span for c in one.candidates)
    free = [c for c in other.candidates if not _overlaps(taken, c.span)]
    found = sorted((*one.candidates, *free), key=lambda c: c.span)
    return Column(tuple(found), one.likeness)


def _overlaps(taken: Sequence[Span], span: Span) -> bool:
    place = bisect_right(taken, span)
    before = place > 0 and taken[place - 1].end > span.start
    return before or (place < len(taken) and taken[place].start < span.end)


def _full(records: Sequence[Block], fields: Collection[str]) -> int:
    return sum(len(record) == len(fields) for record in records)


def _roles(health: Health) -> tuple[set[str], set[str]]:
    many = {name for name, field in health.fields.items() if field.many}
    optional = {name for name, field in health.fields.items() if field.share < _ALWAYS}
    return many, optional


def _items(columns: Mapping[str, Column]) -> dict[str, Sequence[Candidate]]:
    return {name: column.candidates for name, column in columns.items()}


def _echoed(health: Health, name: str, records: Sequence[Block]) -> float | None:
    """How often fields still share the numbers that they shared before; against them where they no longer do."""
    both = _pairs(records, name, health.echoes.get(name, ()))
    return sum(map(_echo, both)) / len(both) - _EXPECTED_ECHO if both else None


def _fell_silent(
    health: Health, name: str, before: Sequence[Block], after: Sequence[Block]
) -> bool:
    was, now = _echoed(health, name, before), _echoed(health, name, after)
    return was is not None and now is not None and now < was - (1 - _SURE_ECHO)


def _narrowed(
    health: Health, name: str, chosen: Mapping[str, Column], records: Sequence[Block]
) -> dict[str, Column] | None:
    """The same columns without records that do not share a number, where all records shared one.

    A page may show a field in more places than the records stand: numbers of other things, a second list.
    """
    sure = [o for o, share in health.echoes.get(name, {}).items() if share >= _SURE_ECHO]
    others = [other for other in sure if other in chosen]
    if not others:
        return None
    echoing = [r for r in records if any(map(_echo, _pairs([r], name, others)))]
    if not _LEAST_ECHOES <= len(echoing) < _SURE_ECHO * len(records):
        return None
    kept = {field: {c.span for r in echoing for c in r.get(field, ())} for field in chosen}
    if not all(kept.values()):
        return None
    return {
        field: Column(
            tuple(c for c in column.candidates if c.span in kept[field]),
            column.likeness * (len(kept[field]) / len(column.candidates)) ** _NARROWED,
        )
        for field, column in chosen.items()
    }


def _pairs(
    records: Sequence[Block], name: str, others: Collection[str]
) -> list[tuple[Candidate, Candidate]]:
    return [
        (r[name][0], r[other][0]) for r in records for other in others if name in r and other in r
    ]


def _echo(pair: tuple[Candidate, Candidate]) -> bool:
    return not marks(pair[0].value).isdisjoint(marks(pair[1].value))
