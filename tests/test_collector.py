"""The collector of cyclic garbage is held still while a wrapper is learned, and runs again afterwards."""

from __future__ import annotations

import gc

import pytest

from scrapy_wrapinduce import CannotInduce, Page, induce
from scrapy_wrapinduce.collector import collector_paused

SAMPLE = [Page(f"<h1>Book {n}</h1><p>Price: <b>{n}.50</b></p>") for n in range(3)]


def test_it_rests_within_and_runs_afterwards() -> None:
    assert gc.isenabled()
    with collector_paused():
        assert not gc.isenabled()
        with collector_paused():
            pass
        assert not gc.isenabled()
    assert gc.isenabled()


def test_it_runs_after_learning_and_after_failing_to() -> None:
    induce(SAMPLE, family="landmark")
    assert gc.isenabled()
    with pytest.raises(CannotInduce):
        induce(SAMPLE, examples=[{"title": "is nowhere to be found"}, None, None])
    assert gc.isenabled()


def test_who_turned_it_off_finds_it_off() -> None:
    gc.disable()
    try:
        induce(SAMPLE, family="landmark")
        assert not gc.isenabled()
    finally:
        gc.enable()
