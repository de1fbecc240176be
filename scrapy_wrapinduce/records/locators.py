"""Learn where a field stands inside its records.

Every labelled value proposes ways to find it: elements by class, attribute or name (from the front or the back,
alone or inside another), the path of children, a label before it, its number among the texts, the strings
around it. All ways are tried on all records; the field becomes a decision list of those that are right most
often, robust kinds first. Ways that only one record proposes must not decide for the others, which is
leave-one-out verification: what a record proposes counts only if other records confirm it.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from ..labels import Span
from .cuts import learn_cuts
from .model import Field, Locator, Pattern
from .read import matching, spans
from .tree import TEXT, Tree
from .wrapper import value_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_MAX_SAMPLE = 60
_MAX_CANDIDATES = 160
_MAX_ALTERNATIVES = 4
_GROUPS = 3
_MAX_PATH = 24
_BACKUP_SHARE = 0.9
_MEANINGFUL = (
    "itemprop",
    "property",
    "rel",
    "role",
    "data-testid",
    "data-field",
    "data-label",
    "name",
    "headers",
)
_KIND_COST = {"element": 0.0, "label": 0.5, "path": 0.8, "text": 1.6, "source": 2.0}


@dataclass(frozen=True, slots=True)
class Sample:
    """A record's region and the places of one field's values in it; none where it has no value."""

    tree: Tree
    first: int
    stop: int
    values: tuple[Span, ...]

    @property
    def texts(self) -> list[str]:
        return [value_of(self.tree.html, span) for span in self.values]


def learn_field(name: str, samples: Sequence[Sample], many: bool) -> Field | None:
    """The field's ways to be found; ``None`` where none is right for any record."""
    if len(samples) > _MAX_SAMPLE:
        with_value = [s for s in samples if s.values]
        without = [s for s in samples if not s.values]
        step = max(1, len(with_value) // _MAX_SAMPLE)
        samples = with_value[::step] + without[:: max(1, len(without) // 20)]
    wanted = [sample.texts for sample in samples]
    judged = _judge(_candidates(samples, many), samples, wanted, many)
    groups: list[tuple[Locator, ...]] = []
    most = 0
    for _ in range(_GROUPS):
        group, right = _decision_list(judged, wanted)
        if not group or (groups and right < _BACKUP_SHARE * most):
            break
        most = most or right
        groups.append(group)
        judged = [one for one in judged if not _alike(one.locator, group[0])]
    return Field(name, tuple(groups), many) if groups else None


@dataclass(frozen=True, slots=True)
class _Judged:
    locator: Locator
    cost: float
    support: int
    found: tuple[tuple[str, ...], ...]


def _alike(one: Locator, other: Locator) -> bool:
    """Whether two locators would break together."""
    return one.by == other.by and one.steps[-1:] == other.steps[-1:] and one.take == other.take


def _judge(
    candidates: Counter[Locator],
    samples: Sequence[Sample],
    wanted: Sequence[list[str]],
    many: bool,
) -> list[_Judged]:
    judged = []
    for locator, support in candidates.most_common(_MAX_CANDIDATES):
        found = []
        unique = True
        for sample in samples:
            places = spans(sample.tree, locator, sample.first, sample.stop)
            texts = [text for place in places if (text := value_of(sample.tree.html, place))]
            found.append(tuple(texts if many else texts[:1]))
            if unique and locator.by == "element" and locator.nth in (0, -1):
                every = replace(locator, nth=None, take="text", cut=None)
                unique = len(spans(sample.tree, every, sample.first, sample.stop)) <= 1
        judged.append(_Judged(locator, _cost(locator, unique), support, tuple(found)))
    return judged


def _decision_list(
    judged: Sequence[_Judged], wanted: Sequence[list[str]]
) -> tuple[tuple[Locator, ...], int]:
    """Locators in the order in which they are asked, each for records that those before leave open.

    Also for how many records they are right.
    """
    group: list[Locator] = []
    open_records = set(range(len(wanted)))
    have_value = sum(1 for texts in wanted if texts)
    total = 0
    for _ in range(_MAX_ALTERNATIVES):
        best, best_score, best_right = None, 0.0, 0
        for one in judged:
            right = wrong = 0
            for i in open_records:
                if one.found[i]:
                    if list(one.found[i]) == wanted[i]:
                        right += 1
                    else:
                        wrong += 1
            if right <= wrong or (group and right < 2 <= have_value):
                continue
            if one.support < 2 <= have_value - 1 and right < 2:
                continue
            score = right - 1.2 * wrong - 0.02 * have_value * one.cost - 0.001 * one.cost
            if score > best_score or best is None:
                best, best_score, best_right = one, score, right
        if best is None:
            break
        group.append(best.locator)
        total += best_right
        open_records = {i for i in open_records if not best.found[i]}
        if not any(wanted[i] for i in open_records):
            break
    return tuple(group), total


def _cost(locator: Locator, unique: bool) -> float:
    """How likely a locator is to break on other pages; only compared among those that are right here."""
    cost = _KIND_COST[locator.by]
    if locator.by == "element":
        last = locator.steps[-1]
        if not last.classes and not last.attributes:
            cost += 0.15 if len(locator.steps) > 1 else 0.3
        cost += 0.05 * (len(locator.steps) - 1) + 0.04 * max(0, len(last.classes) - 1)
        cost += 0.0 if unique else 0.3
        for step in locator.steps:
            cost += 0.3 * any(any(c.isdigit() for c in name) for name in step.classes)
    if locator.nth is not None:
        cost += 0.08 * (locator.nth if locator.nth >= 0 else -locator.nth - 0.5)
    cost += 0.05 * len(locator.path)
    if locator.take == "own":
        cost += 0.05 + 0.05 * abs(locator.index)
    if locator.cut is not None:
        cost += 0.3 + (0.2 if locator.cut.kind == "words" else 0.0)
    return cost


def _candidates(samples: Sequence[Sample], many: bool) -> Counter[Locator]:
    found: Counter[Locator] = Counter()
    partial: Counter[Locator] = Counter()
    for sample in samples:
        # In the order of the proposals, so that ties are settled alike in every run.
        whole: dict[Locator, None] = {}
        parts: dict[Locator, None] = {}
        for value in sample.values:
            for locator, exact in _proposals(sample, value, many):
                (whole if exact else parts).setdefault(locator)
        found.update(whole.keys())
        partial.update(locator for locator in parts if locator not in whole)
    bases = [locator for locator, _ in partial.most_common(24)]
    if partial:
        bases += [locator for locator, _ in found.most_common(12)]
    for base in dict.fromkeys(bases):
        for how, support in learn_cuts(
            base, [(s.tree, s.first, s.stop, s.values) for s in samples]
        ):
            found[replace(base, cut=how)] += support
    if not many:
        base = Locator("source")
        for how, support in learn_cuts(
            base, [(s.tree, s.first, s.stop, s.values) for s in samples]
        ):
            found[replace(base, cut=how)] += support
    return found


def _proposals(sample: Sample, value: Span, many: bool) -> Iterator[tuple[Locator, bool]]:
    """Locators that find what a value stands in, and whether that is the value exactly."""
    tree = sample.tree
    item = tree.item_at(value.start)
    if item < sample.first or item >= sample.stop:
        return
    if tree.tag[item] is not None:
        tag = tree.tag[item]
        for attribute in tag.attributes if tag is not None else ():
            start = tree.start[item] + attribute.start
            if start <= value.start and value.end <= start + attribute.end - attribute.start:
                exact = attribute.end - attribute.start == value.end - value.start
                for locator in _element_ways(sample, item, many):
                    yield replace(locator, take=f"@{attribute.name}"), exact
        return
    texts = tree.texts_in(item, sample.stop)
    last = next((t for t in reversed(texts) if tree.start[t] < value.end), item)
    text_span = Span(tree.start[item], tree.end[last])
    wanted = value_of(tree.html, value)
    exact = value_of(tree.html, text_span) == wanted
    element = _smallest(tree, item, last, sample.first)
    chain = element if tree.texts_in(element, tree.stop[element])[:1] == [item] else -1
    for _ in range(4):
        if chain < sample.first or chain < 0:
            break
        inside = tree.texts_in(chain, tree.stop[chain])
        if inside[0] != item or inside[-1] != last:
            break
        for locator in _element_ways(sample, chain, many):
            yield locator, exact
        chain = tree.parent[chain]
    if item != last:
        return
    holder = tree.parent[item]
    siblings = [child for child in tree.children(holder) if tree.name[child] == TEXT]
    if holder >= sample.first and len(tree.texts_in(holder, tree.stop[holder])) > 1:
        rank = siblings.index(item)
        for locator in _element_ways(sample, holder, many):
            yield replace(locator, take="own", index=rank), exact
            if rank == len(siblings) - 1:
                yield replace(locator, take="own", index=-1), exact
    if many:
        return
    own = tree.texts_in(sample.first, sample.stop)
    rank = own.index(item)
    yield Locator("text", nth=rank), exact
    yield Locator("text", nth=rank - len(own)), exact
    if rank:
        before = own[rank - 1]
        label = tree.text(before)
        if len(label) <= 60:
            yield Locator("label", label=label), exact


def _smallest(tree: Tree, item: int, last: int, first: int) -> int:
    """The smallest element around both items that is still in the record, or the record itself."""
    element = tree.parent[item]
    while element > first and tree.stop[element] <= last:
        element = tree.parent[element]
    return max(element, first)


def _element_ways(sample: Sample, item: int, many: bool) -> Iterator[Locator]:
    tree, first, stop = sample.tree, sample.first, sample.stop
    context: list[tuple[Pattern, ...]] = [()]
    around = tree.parent[item]
    while around > first:
        if tree.classes(around):
            context += [
                (Pattern(tree.name[around], (name,)),) for name in sorted(tree.classes(around))[:3]
            ]
            break
        if around == tree.parent[item]:
            context.append((Pattern(tree.name[around]),))
        around = tree.parent[around]
    for pattern in patterns(tree, item):
        for outer in context:
            steps = (*outer, pattern)
            if many:
                yield Locator("element", steps, None)
                continue
            everything = matching(tree, pattern, first, stop) if not outer else None
            if everything is None:
                everything = _inside(tree, outer[0], pattern, first, stop)
            if item not in everything:
                continue
            rank = everything.index(item)
            yield Locator("element", steps, rank)
            if rank == len(everything) - 1:
                yield Locator("element", steps, -1)
            elif len(everything) - rank <= 4:
                yield Locator("element", steps, rank - len(everything))
    path = _path(tree, item, first)
    if path is not None and many:
        yield Locator("path", nth=None, path=(*path[:-1], (path[-1][0], None)))
    elif path is not None:
        yield Locator("path", path=path)


def _inside(tree: Tree, outer: Pattern, pattern: Pattern, first: int, stop: int) -> list[int]:
    found = []
    end = first
    for holder in matching(tree, outer, first, stop):
        if holder >= end:
            end = tree.stop[holder]
            found += matching(tree, pattern, holder + 1, end)
    return found


def patterns(tree: Tree, item: int) -> list[Pattern]:
    """The patterns that describe an element, the most telling first."""
    tag, name = tree.tag[item], tree.name[item]
    found = []
    for key in _MEANINGFUL:
        value = tag.get(key) if tag is not None else None
        if value and len(value) <= 60:
            found.append(Pattern(name, (), ((key, value),)))
    classes = sorted(tree.classes(item))
    found += [Pattern(name, (one,)) for one in classes[:6]]
    if 1 < len(classes) <= 6:
        found.append(Pattern(name, tuple(classes)))
    found.append(Pattern(name))
    return found


def _path(tree: Tree, item: int, first: int) -> tuple[tuple[str, int | None], ...] | None:
    """Child by child from the record to an item; its first step is among the record's own siblings."""
    path: list[tuple[str, int | None]] = []
    while item >= first:
        parent = tree.parent[item]
        at = first if parent < first else parent + 1
        rank = 0
        while at < item:
            rank += tree.name[at] == tree.name[item]
            at = tree.stop[at]
        path.append((tree.name[item], rank))
        item = parent
        if len(path) > _MAX_PATH:
            return None
    return tuple(reversed(path))
