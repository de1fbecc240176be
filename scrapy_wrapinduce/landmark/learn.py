"""From pages to a landmark tree, and a report on how it was found."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..errors import CannotInduce
from .counting import counting
from .grow import LEAST, SEARCHES, Grower, Growth, default_k
from .occurrences import landmark_occurrences
from .optimum import Budget
from .outliers import find_outliers

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from .tokens import TokenizedPage
    from .tree import Tree

__all__ = ("SEARCHES", "LearnReport", "Learned", "learn", "learn_tree")

SECONDS = 8.0  # of exact search at most; growing goes on greedily after that
SPLITS = 12_000


@dataclass(frozen=True, slots=True)
class LearnReport:
    """How a tree was found.

    ``optimal``: no tree with the same k extracts fewer tokens from the sample, and this is proven.
    ``proven_sets`` of ``region_sets`` region sets with landmarks were solved to the optimum; ``searched_sets`` were small enough to try. ``out_of_budget``: the rest was
    grown greedily. ``left_out`` gives the pages that do not belong, by their place in the sample, and why.
    """

    search: str
    k: int
    pages: int
    tokens: int
    splits: int
    seconds: float
    optimal: bool
    region_sets: int
    searched_sets: int
    proven_sets: int
    out_of_budget: bool
    left_out: tuple[tuple[int, str], ...] = ()

    def __str__(self) -> str:
        """One line for a person."""
        effort = f"{self.splits} splits over {self.tokens} tokens in {self.seconds:.2f} s"
        without = ", ".join(str(index + 1) for index, _ in self.left_out)
        strange = f"; left out as strange: page {without}" if without else ""
        return f"{self.search}, k = {self.k} of {self.pages} pages: {effort}; {self.proof}{strange}"

    @property
    def proof(self) -> str:
        """What is known of how good the tree is."""
        if self.optimal:
            return "proven to be the smallest extraction"
        if self.out_of_budget:
            return "the budget ended the search, the rest was grown greedily"
        if self.proven_sets:
            return f"{self.proven_sets} of {self.region_sets} parts proven to be smallest"
        return "grown greedily, nothing is proven"


@dataclass(frozen=True, slots=True)
class Learned:
    """A tree and how it was found."""

    tree: Tree
    report: LearnReport


def learn_tree(pages: Sequence[TokenizedPage], search: str = "astar", k: int | None = None) -> Tree:
    """The landmark tree of pages that share a template."""
    return learn(pages, search, k).tree


def learn(
    pages: Sequence[TokenizedPage],
    search: str = "astar",
    k: int | None = None,
    *,
    seed: int = 0,
    splits: int | None = SPLITS,
    seconds: float | None = SECONDS,
    attributes: str | Iterable[str] | None = None,
) -> Learned:
    """The landmark tree of pages that share a template, and a report.

    ``search`` is one of :data:`SEARCHES`. Landmarks of the tree proper occur exactly once in at least ``k`` regions,
    by default three quarters of the pages. ``splits`` and ``seconds`` (of processor time) bound the exact search of "astar";
    ``seed`` is for the searches that draw lots. ``attributes`` says which attributes of tags count, see :mod:`.counting`.
    """
    if search not in SEARCHES:
        raise CannotInduce(f"unknown search {search!r}; there are: {', '.join(SEARCHES)}")
    if k is not None and k < 1:
        raise CannotInduce(f"k must be at least 1, not {k}")
    started = time.perf_counter()
    least = LEAST if k is None else min(k, LEAST)
    found = landmark_occurrences(pages, least, counting(attributes))
    strange = find_outliers(found.pages)
    kept = [region for index, region in enumerate(found.pages) if index not in strange]
    k = k or default_k(len(kept))
    budget = Budget(splits, seconds)
    grower = Grower(found.landmarks, found.words, Growth(search, k, seed), budget)
    tree = grower.grow(kept)
    report = LearnReport(
        search=search,
        k=k,
        pages=len(kept),
        tokens=sum(map(len, kept)),
        splits=grower.splits,
        seconds=time.perf_counter() - started,
        optimal=grower.root_proven,
        region_sets=grower.sets,
        searched_sets=grower.searched,
        proven_sets=grower.proven,
        out_of_budget=grower.gave_up,
        left_out=tuple(strange.items()),
    )
    return Learned(tree, report)
