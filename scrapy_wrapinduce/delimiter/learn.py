"""Learning a wrapper of a given class from labelled pages (Kushmerick 2000, Figures 4, 6, 8, 10, 12
and 13).

Right delimiters, and in the tabular classes all left ones but the first, do not depend on any
other: the valid ones are all candidates from some length on. The first left delimiter is sought
with the structural ones, in the nested classes all left ones are. What is found is then made
robust, one delimiter at a time, keeping every page read right.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from ..errors import CannotInduce
from .bounds import Bounds, search_bounds
from .emphasis import with_emphasis
from .examples import Example, read_examples
from .execute import quote, run_nested, run_tabular
from .factors import Budget
from .gaps import Parts, common_prefix, common_suffix, least, nested_parts, tabular_parts
from .lengths import Conflict, greatest_lengths
from .opens import search_opening
from .pac import advise
from .robust import prefix_lengths, suffix_lengths
from .skipped import with_skipped
from .vector import CLASSES, NESTED, Vector
from .wrapper import WRAPPERS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from ..labels import LabelledPage
    from .gaps import Gap
    from .vector import Layout
    from .wrapper import DelimiterWrapper

_BUDGET = 1_000_000
_BUDGET_PER_SEARCH = 200
_POLISHES = 24


def learn(
    family: str, pages: Sequence[LabelledPage], *, end_of_page: bool = True
) -> DelimiterWrapper:
    """A wrapper of the class ``family`` that reads all pages as labelled.

    ``end_of_page`` lets the end of the page serve as tail delimiter, as the paper suggests in
    section 5.2. Raises :class:`CannotInduce` with the delimiter that cannot be found, and why.
    """
    if family not in CLASSES:
        raise CannotInduce(f"{family!r} is not a delimiter class; these are {', '.join(CLASSES)}")
    layout, examples = read_examples(family, pages)
    failures: list[CannotInduce] = []
    for variant in _variants(family, layout, examples):
        try:
            wrapper = _Learner(family, *variant, end_of_page).learn()
        except CannotInduce as error:
            failures.append(error)
        else:
            wrapper.notes = (str(advise(wrapper, pages)),)
            return wrapper
    # What stood in the way of the labels as given is the easiest to understand.
    raise failures[0]


def _variants(
    family: str, layout: Layout, examples: list[Example]
) -> Iterator[tuple[Layout, list[Example]]]:
    """The labels as given, then with what varies around the values put out of the way."""
    make_parts = nested_parts if family in NESTED else tabular_parts
    count = len(layout.paths)
    for labels in (examples, with_emphasis(examples, count)):
        if labels is not None:
            yield layout, labels
            skipped = with_skipped(layout, labels, make_parts(labels, count))
            if skipped is not None:
                yield skipped


class _Learner:
    def __init__(
        self, family: str, layout: Layout, examples: list[Example], end_of_page: bool
    ) -> None:
        self.family, self.layout, self.examples = family, layout, examples
        self.end_of_page = end_of_page
        self.names = layout.paths
        self.nested = family in NESTED
        make_parts = nested_parts if self.nested else tabular_parts
        self.parts = make_parts(examples, len(self.names))
        self.budget = self._new_budget()

    def _new_budget(self) -> Budget:
        # Long pages may take longer, in proportion.
        return Budget(_BUDGET + _BUDGET_PER_SEARCH * sum(gap.reach for gap in self.parts.between))

    def learn(self) -> DelimiterWrapper:
        numbers = range(len(self.names))
        right = tuple(self._right(number) for number in numbers)
        endings = [common_suffix(_bare(self.parts.of(number))) for number in numbers]
        for number in numbers:
            if not endings[number]:
                self._fail_apart(
                    "l",
                    number,
                    [
                        (g.html[max(g.start, g.end - 20) : g.end], g.where)
                        for g in self.parts.of(number)
                    ],
                )
        if self.nested:
            vector = self._bounded(Vector(tuple(endings), right), self.parts, endings)
        else:
            left = (endings[0], *(self._left(number, endings[number]) for number in numbers[1:]))
            first = tuple(gap for gap in self.parts.between if gap.attribute == 0)
            parts = Parts(self.parts.heads, first, self.parts.tails)
            find = self._opened if "o" in CLASSES[self.family] else self._bounded
            vector = find(Vector(left, right), parts, endings[:1])
        if not self.consistent(vector):
            raise CannotInduce(
                f"{self.family}: the delimiters found do not read the pages as labelled"
            )
        return WRAPPERS[self.family](vector, self.layout)

    def consistent(self, vector: Vector) -> bool:
        """Whether all pages are read as labelled, every delimiter in its place."""
        execute = run_nested if self.nested else run_tabular
        for example in self.examples:
            run = execute(vector, example.html)
            if tuple(run.events) != example.events or (run.failures and example.events):
                return False
        return True

    def _right(self, number: int) -> str:
        spans = []
        for example in self.examples:
            for at, event in enumerate(example.events):
                if event.attribute == number:
                    last = at + 1 == len(example.events)
                    stop = len(example.html) if last else example.events[at + 1].start
                    spans.append((example, event, stop))
        common = common_prefix((example.html, event.end, stop) for example, event, stop in spans)
        if not common:
            texts = [
                (example.html[event.end : min(stop, event.end + 20)], f"page {example.number}")
                for example, event, stop in spans
            ]
            self._fail_apart("r", number, texts)

        def valid(length: int) -> bool:
            text = common[:length]
            return all(
                example.html.find(text, event.start, event.end + length) == event.end
                for example, event, _ in spans
            )

        shortest = least(len(common), valid)
        if shortest is None:
            at = next(
                example.number
                for example, event, _ in spans
                if example.html.find(common, event.start, event.end + len(common)) != event.end
            )
            raise self._no("r", number, f"{quote(common)} also occurs in a value on page {at}")
        return common[: prefix_lengths(common, shortest)[0]]

    def _left(self, number: int, ending: str) -> str:
        gaps = self.parts.of(number)

        def valid(length: int) -> bool:
            text = ending[-length:]
            return all(gap.html.find(text, gap.start, gap.end) == gap.end - length for gap in gaps)

        shortest = least(len(ending), valid)
        if shortest is None:
            gap = next(
                gap for gap in gaps
                if gap.html.find(ending, gap.start, gap.end) != gap.end - len(ending)
            )  # fmt: skip
            raise self._no("l", number, f"{quote(ending)} also occurs {gap.where}")
        return ending[-suffix_lengths(ending, shortest)[0] :]

    def _bounded(self, vector: Vector, parts: Parts, endings: Sequence[str]) -> Vector:
        """LR, HLRT, N-LR, N-HLRT: left delimiters, with head and tail where the class has them."""
        found: Bounds | Conflict
        if "h" in CLASSES[self.family]:
            found = search_bounds(parts, endings, self.budget, end_of_page=self.end_of_page)
            if isinstance(found, Conflict):
                raise CannotInduce(f"{self.family}: no valid h, t and l1: {found.reason}")
        else:
            lengths = greatest_lengths([*parts.heads, *parts.between], parts.tails, endings)
            if isinstance(lengths, Conflict):
                raise self._no("l", *lengths)
            found = Bounds(None, None, tuple(lengths))
        longest = [ending[-length:] for ending, length in zip(endings, found.lengths, strict=True)]
        vector = replace(vector, left=(*longest, *vector.left[len(longest) :]))
        if found.head is not None:
            vector = replace(vector, head=found.head.best)
        elif "h" in CLASSES[self.family]:
            vector = replace(vector, head="")
        if found.tail is not None:
            vector = replace(vector, tail=found.tail.longest)
            vector = self._shorten_tail(vector, found.tail.longest)
        return self._polish_left(vector, longest)

    def _opened(self, vector: Vector, parts: Parts, endings: Sequence[str]) -> Vector:
        """OCLR and HOCLRT: the first left delimiter with open and close, head and tail."""
        bounded = "h" in CLASSES[self.family]
        if bounded:
            # What HLRT reads, HOCLRT reads too: the first left delimiter opens a record (Theorem 1).
            try:
                simple = self._bounded(vector, parts, endings)
            except CannotInduce:
                self.budget = self._new_budget()
            else:
                return replace(simple, open=simple.left[0], close="")
        found = search_opening(
            parts, endings[0], self.budget, bounded=bounded, end_of_page=self.end_of_page
        )
        if found is None:
            names = "o, c, h, t and l1" if bounded else "o, c and l1"
            raise CannotInduce(
                f"{self.family}: no valid {names}: none of the {self.budget.tried} combinations that"
                f" could go with {quote(endings[0])} before {self.names[0]!r} opens the records alone"
            )
        longest = endings[0][-found.length :]
        vector = replace(
            vector,
            left=(longest, *vector.left[1:]),
            open=found.open.longest,
            close=found.close.best if found.close else "",
        )
        if bounded:
            vector = replace(vector, head=found.head.best if found.head else "")
        if found.tail is not None:
            vector = replace(vector, tail=found.tail.longest)
            vector = self._shorten_tail(vector, found.tail.longest)
        return self._polish_left(self._shorten_open(vector, found.open.longest), [longest])

    def _shorten_tail(self, vector: Vector, longest: str) -> Vector:
        cuts = (longest[:length] for length in prefix_lengths(longest, 1))
        return self._first_consistent((replace(vector, tail=cut) for cut in cuts), vector)

    def _shorten_open(self, vector: Vector, longest: str) -> Vector:
        cuts = (longest[:length] for length in prefix_lengths(longest, 1))
        return self._first_consistent((replace(vector, open=cut) for cut in cuts), vector)

    def _polish_left(self, vector: Vector, longest: Sequence[str]) -> Vector:
        for number, text in enumerate(longest):
            options = []
            for length in suffix_lengths(text, 1):
                left = (*vector.left[:number], text[-length:], *vector.left[number + 1 :])
                options.append(replace(vector, left=left))
            vector = self._first_consistent(options, vector)
        return vector

    def _first_consistent(self, options: Iterable[Vector], otherwise: Vector) -> Vector:
        for tried, option in enumerate(options):
            if tried == _POLISHES:
                break
            if self.consistent(option):
                return option
        return otherwise

    def _no(self, side: str, number: int, reason: str) -> CannotInduce:
        return CannotInduce(
            f"{self.family}: no valid {side}{number + 1}: {reason} (field {self.names[number]!r})"
        )

    def _fail_apart(self, side: str, number: int, texts: list[tuple[str, str]]) -> None:
        """Two places whose texts next to a field have not even one character in common."""
        edge: Callable[[str], str] = (
            (lambda text: text[-1:]) if side == "l" else (lambda text: text[:1])
        )
        one = texts[0]
        other = next((text for text in texts if not text[0] or edge(text[0]) != edge(one[0])), one)
        what, shared = ("precedes", "ending") if side == "l" else ("follows", "beginning")
        raise self._no(
            side, number,
            f"what {what} has no common {shared}: {one[0]!r} ({one[1]}), {other[0]!r} ({other[1]})",
        )  # fmt: skip


def _bare(gaps: Iterable[Gap]) -> Iterable[tuple[str, int, int]]:
    return ((gap.html, gap.start, gap.end) for gap in gaps)
