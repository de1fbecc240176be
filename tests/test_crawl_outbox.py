"""What cannot be told to the shared store now is told later, in its order."""

from __future__ import annotations

from functools import partial

import pytest

from scrapy_wrapinduce.crawl.machines.outbox import Outbox


class Away(Exception):
    """The store does not answer."""


class Store:
    """Notes what it is told, unless it is away."""

    def __init__(self) -> None:
        self.told: list[int] = []
        self.is_away = False

    def tell(self, number: int) -> int:
        if self.is_away:
            raise Away
        self.told.append(number)
        return number


def test_calls_keep_their_order_and_none_is_lost() -> None:
    store, outbox = Store(), Outbox(Away)
    assert outbox.send(partial(store.tell, 1)) == 1
    store.is_away = True
    assert outbox.send(partial(store.tell, 2)) is None
    store.is_away = False
    # It would be answered now, but must not overtake the one before it.
    assert outbox.send(partial(store.tell, 3)) is None
    outbox.flush()
    assert (store.told, len(outbox)) == ([1, 2, 3], 0)


def test_what_fails_again_stays_first() -> None:
    store, outbox = Store(), Outbox(Away)
    store.is_away = True
    outbox.send(partial(store.tell, 1))
    outbox.send(partial(store.tell, 2))
    with pytest.raises(Away):
        outbox.flush()
    assert len(outbox) == 2


def test_other_errors_are_not_kept() -> None:
    with pytest.raises(ZeroDivisionError):
        Outbox(Away).send(lambda: 1 // 0)
