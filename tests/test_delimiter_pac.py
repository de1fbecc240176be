"""How many more pages would be needed: Theorem 2 of Kushmerick (2000)."""

from __future__ import annotations

import pytest

from scrapy_wrapinduce.delimiter import choose
from scrapy_wrapinduce.delimiter.pac import advise, pages_needed
from tests.delimiter_pages import FIGURE_5


@pytest.mark.parametrize(
    ("family", "pages"),
    [
        ("lr", 1534),
        ("nlr", 1534),
        ("hlrt", 2243),
        ("oclr", 2243),
        ("nhlrt", 2243),
        ("hoclrt", 2952),
    ],
)
def test_the_papers_example_of_four_attributes_on_pages_of_10_000_characters(
    family: str, pages: int
) -> None:
    assert pages_needed(family, 4, 10_000, error=1 / 20, doubt=1 / 20) == pages


def test_the_papers_tightened_bound() -> None:
    pages = pages_needed("hlrt", 4, 10_000, records_per_page=5)

    def risk(pages: int) -> float:
        return 14 * (1 - 0.05 / 14) ** (5 * pages) + 10_000**3 * 9_999**2 / 4 * 0.975**pages

    assert risk(pages) < 0.05 <= risk(pages - 1)
    assert pages < pages_needed("hlrt", 4, 10_000)


def test_more_certainty_needs_more_pages() -> None:
    assert pages_needed("lr", 2, 1000, doubt=0.01) > pages_needed("lr", 2, 1000, doubt=0.1)
    assert pages_needed("lr", 2, 1000, error=0.01) > pages_needed("lr", 2, 1000, error=0.1)
    with pytest.raises(ValueError, match="probabilities"):
        pages_needed("lr", 2, 1000, error=0)


def test_advice_says_how_many_more() -> None:
    advice = advise(choose([FIGURE_5]), [FIGURE_5], error=0.2)
    assert advice.more == advice.needed - 1
    assert str(advice).startswith(f"{advice.more} more labelled pages would guarantee")
