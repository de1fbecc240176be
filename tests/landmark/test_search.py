"""The fast search finds what the paper's A* and plain enumeration find."""

from __future__ import annotations

import time

from hypothesis import given, settings
from hypothesis import strategies as st

from scrapy_wrapinduce.landmark import sep
from scrapy_wrapinduce.landmark.optimum import Budget, Optimum
from scrapy_wrapinduce.landmark.regions import Occurrence, Region, incompressible, size

names = st.sampled_from("abcd")
tokens = st.recursive(
    names.map(lambda name: (name,)),
    lambda inner: st.tuples(st.sampled_from("XY"), st.lists(inner, max_size=3)),
    max_leaves=5,
)
page_contents = st.lists(tokens, max_size=5)


def region_of(page: int, content: list) -> Region:
    """A page from nested content: ("a",) is a word, ("X", […]) a pair of tags."""
    found: list[tuple[Occurrence, int]] = []

    def lay(items: list, at: int) -> int:
        for item in items:
            if len(item) == 1:
                found.append((Occurrence(at, at + 1), ord(item[0])))
                at += 1
            else:
                close = lay(item[1], at + 1)
                found.append((Occurrence(at, close + 1, at + 1, close), ord(item[0])))
                at = close + 1
        return at

    end = lay(content, 0)
    found.sort()
    return Region(page, 0, end, [number for _, number in found], [place for place, _ in found])


samples = st.lists(page_contents, min_size=2, max_size=4).map(
    lambda contents: [region_of(page, content) for page, content in enumerate(contents)]
)


@settings(max_examples=150, deadline=None)
@given(samples, st.integers(1, 3))
def test_and_or_search_equals_enumeration(pages: list[Region], k: int) -> None:
    pages = [page for page in pages if len(page) <= 9]
    cost, proven = Optimum(k).solve(pages)
    assert proven
    assert cost == sep.smallest(pages, k)


@settings(max_examples=60, deadline=None)
@given(samples)
def test_and_or_search_equals_literal_astar(pages: list[Region]) -> None:
    pages = [page for page in pages if len(page) <= 6]
    state, _ = sep.astar(pages, 2)
    assert state.estimate(2) <= 0
    assert Optimum(2).solve(pages) == (state.extracted(), True)


@settings(max_examples=100, deadline=None)
@given(samples, st.integers(0, 12))
def test_out_of_budget_the_best_tree_so_far_is_given(pages: list[Region], splits: int) -> None:
    best, _ = Optimum(2).solve(pages)
    search = Optimum(2, budget=Budget(splits=splits))
    cost, proven = search.solve(pages)
    assert best <= cost <= size(pages)
    assert cost == best or not proven
    assert cost == extracted(search, pages)


def test_waiting_for_the_processor_spends_nothing() -> None:
    budget = Budget(seconds=0.1)
    time.sleep(0.15)
    assert not budget.spent()
    while not budget.spent():
        pass


def extracted(search: Optimum, regions: list[Region]) -> int:
    """What the tree that was found extracts, followed split by split."""
    choice = search.choice(regions)
    if choice is None:
        return size(regions)
    return choice.parts.failed + sum(extracted(search, part) for part in choice.parts[:3] if part)


@settings(max_examples=100, deadline=None)
@given(samples, st.integers(1, 3))
def test_incompressible_cost_never_falls_along_a_path(pages: list[Region], k: int) -> None:
    state = sep.initial(pages)
    while following := list(sep.successors(state, k)):
        child = min(following, key=lambda s: s.incompressible(k))
        assert state.incompressible(k) <= child.incompressible(k) <= child.extracted()
        assert child.extracted() <= state.extracted() - k
        state = child
    assert incompressible(pages, k) <= state.extracted()
