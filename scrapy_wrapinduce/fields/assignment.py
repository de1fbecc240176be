"""Give every field the column that suits it, all fields at once.

Taking the best pair first can leave a later field without the only column that would do. This finds the choice
with the highest sum of weights (the Hungarian method by shortest augmenting paths), where a field may also stay
without a column.
"""

from __future__ import annotations

from math import inf
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence


def best_assignment(weights: Sequence[Sequence[float]], least: float) -> list[int | None]:
    """For each row its column in the best choice; None where no column of at least ``least`` is left for it.

    >>> best_assignment([[0.9, 0.8], [0.8, 0.1]], least=0.3)
    [1, 0]
    >>> best_assignment([[0.9, 0.1]], least=0.95)
    [None]
    """
    rows = len(weights)
    width = max(map(len, weights), default=0)
    # A column of its own for each row, worth the least: to take it is to go without.
    costs = [
        [-w if w >= least else inf for w in row]
        + [-least if own == number else inf for own in range(rows)]
        for number, row in enumerate(weights)
    ]
    owner: list[int] = [-1] * (width + rows)
    row_price = [min(row) for row in costs]
    column_price = [0.0] * (width + rows)
    for start in range(rows):
        _augment(costs, owner, row_price, column_price, start)
    found: list[int | None] = [None] * rows
    for column, row in enumerate(owner[:width]):
        if row >= 0:
            found[row] = column
    return found


def _augment(
    costs: Sequence[Sequence[float]],
    owner: list[int],
    row_price: list[float],
    column_price: list[float],
    start: int,
) -> None:
    """Find a column for one more row; rows that had one before may move to others."""
    columns = len(owner)
    distance = [inf] * columns
    came_from = [-1] * columns
    done: list[int] = []
    reached = [False] * columns
    row, column, walked = start, -1, 0.0
    while True:
        for other in range(columns):
            if not reached[other] and costs[row][other] < inf:
                way = walked + costs[row][other] - row_price[row] - column_price[other]
                if way < distance[other]:
                    distance[other], came_from[other] = way, column
        column = min(
            (other for other in range(columns) if not reached[other]), key=distance.__getitem__
        )
        walked = distance[column]
        if owner[column] < 0:
            break
        reached[column] = True
        done.append(column)
        row = owner[column]
    row_price[start] += walked
    for other in done:
        row_price[owner[other]] += walked - distance[other]
        column_price[other] -= walked - distance[other]
    while column >= 0:
        previous = came_from[column]
        owner[column] = owner[previous] if previous >= 0 else start
        column = previous
