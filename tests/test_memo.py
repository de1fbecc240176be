"""What pages repeat is remembered, what they do not is forgotten."""

from __future__ import annotations

from scrapy_wrapinduce.memo import Memo, Repeats


def test_what_is_asked_for_stays_and_the_rest_goes() -> None:
    memo: Memo[str, int] = Memo(10)
    memo.keep("on every page", 1)
    for number in range(1000):
        memo.keep(f"on page {number}", number)
        assert memo.get("on every page") or memo.recall("on every page") == 1
    assert memo.recall("on page 3") is None


def test_it_is_bounded() -> None:
    memo: Memo[int, int] = Memo(10)
    for number in range(1000):
        memo.keep(number, number)
        assert len(memo) + len(memo._older) <= 20
    assert [memo.get(number) or memo.recall(number) for number in (999, 985, 0)] == [999, 985, None]


def test_what_comes_once_leaves_no_room_taken() -> None:
    memo: Repeats[str, int] = Repeats(10)
    for number in range(1000):
        memo.keep(f"on page {number}", number)
        memo.keep("on every page", 1)
    assert memo.get("on every page") == 1
    assert len(memo) + len(memo._older) < 3


def test_what_comes_again_is_bounded_too() -> None:
    memo: Repeats[int, int] = Repeats(10)
    for number in range(1000):
        memo.keep(number, number)
        memo.keep(number, number)
        assert memo[number] == number
        assert len(memo) + len(memo._older) <= 20
    assert memo.recall(985) == 985
    assert memo.recall(3) is None
