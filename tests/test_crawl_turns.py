"""Pages that come together do not hold up the event loop together."""

from __future__ import annotations

import asyncio

import pytest

from scrapy_wrapinduce.crawl.clock import Turns


class CountedTurns:
    """Counts the turns of the running event loop."""

    def __init__(self) -> None:
        self.number = 0
        self._count()

    def _count(self) -> None:
        self.number += 1
        asyncio.get_running_loop().call_soon(self._count)


def test_each_page_has_a_turn_of_its_own() -> None:
    async def crawl() -> list[tuple[str, int]]:
        turns, loop, worked_on = Turns(), CountedTurns(), []

        async def work(page: str) -> None:
            await turns.mine()
            worked_on.append((page, loop.number))

        await asyncio.gather(*map(work, "abc"))
        await asyncio.gather(*map(work, "de"))
        return worked_on

    worked_on = asyncio.run(crawl())
    assert [page for page, _ in worked_on] == list("abcde")
    assert len({turn for _, turn in worked_on}) == 5


def test_a_page_that_is_given_up_leaves_its_turn_to_the_next() -> None:
    async def crawl() -> None:
        turns = Turns()
        pages = [asyncio.create_task(turns.mine()) for _ in range(3)]
        await asyncio.sleep(0)
        pages[0].cancel()
        pages[1].cancel()
        await asyncio.wait_for(pages[2], 60)

    asyncio.run(crawl())


def test_other_event_loops_are_left_alone() -> None:
    with pytest.raises(StopIteration):
        Turns().mine().send(None)
