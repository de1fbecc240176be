"""Learning from recognizers that make mistakes (section 7 of Kushmerick 2000)."""

from __future__ import annotations

import json
import random
import re
import tarfile
from collections.abc import Sequence
from pathlib import Path

import pytest

from scrapy_wrapinduce.delimiter.corroboration import corroborate
from scrapy_wrapinduce.errors import CannotInduce
from scrapy_wrapinduce.labels import LabelledPage
from scrapy_wrapinduce.page import Page
from scrapy_wrapinduce.wrapper import Wrapper
from tests.delimiter_pages import FIGURE_1, FIGURE_5, content, labelled


def test_the_country_codes_need_no_labels() -> None:
    found = corroborate([FIGURE_1.page], {"country": "country", "code": r"[1-9][0-9]+"})
    assert found.wrapper.extract(FIGURE_1.page).records == content(FIGURE_1)
    assert found.labels == (FIGURE_1,)


def test_the_order_of_fields_is_found_out() -> None:
    found = corroborate([FIGURE_5.page], {"code": r"\d+", "country": ["Congo", "Egypt", "Belize"]})
    assert found.anchor == "code"
    assert found.wrapper.fields == ("country", "code")
    assert found.wrapper.extract(FIGURE_5.page).records == content(FIGURE_5)


FIELDS = ("name", "town", "phone", "price", "rank")


def directory(seed: int, records: int = 20) -> LabelledPage:
    """A table in which neither tags nor classes tell the columns apart."""
    chance = random.Random(seed)

    def word() -> str:
        return "".join(chance.choices("abcdefghijklmnop", k=6)).capitalize()

    rows = "".join(
        f"<tr><td><b>⟦name {word()} {word()}⟧</b></td><td>⟦town {word()}⟧</td>"
        f"<td>tel. ⟦phone 0{chance.randint(100, 999)}-{chance.randint(1000, 9999)}⟧</td>"
        f"<td><u>{word()}</u></td><td>⟦price ${chance.randint(1, 99)}.50⟧</td><td>{word()}</td>"
        f"<td><i>⟦rank {chance.randint(1, 999)}⟧</i></td></tr>\n"
        for _ in range(records)
    )
    links = "".join(f"<li><a href='/{word()}'>{word()}</a></li>" for _ in range(8))
    return labelled(
        f"<html><h1>{word()}</h1><ul>{links}</ul><table>{rows}</table><p>{word()} {word()}</p></html>"
    )


class Noisy:
    """Knows the right answers, and gives a share of wrong ones: misses or inventions, not both."""

    def __init__(
        self, pages: list[LabelledPage], field: str, errors: float, *, invents: bool, seed: int
    ) -> None:
        self.answers: set[str] = set()
        chance = random.Random(f"{field} {seed}")
        for page in pages:
            html = page.page.html
            right = [record[field] for record in content(page)]
            if not invents:
                right = [value for value in right if chance.random() >= errors]
            self.answers.update(right)
            if invents:
                texts = [text.strip() for text in re.findall(r">([^<]+)<", html) if text.strip()]
                wrong = round(len(right) * errors / (1 - errors))
                self.answers.update(chance.sample(texts, wrong))

    def __call__(self, text: str) -> list[str] | bool:
        if text in self.answers:
            return True
        return [text[5:]] if text.startswith("tel. ") and text[5:] in self.answers else []


@pytest.mark.parametrize("perfect", FIELDS)
@pytest.mark.parametrize("seed", range(2))
def test_learning_works_with_40_percent_errors_in_all_recognizers_but_one(
    perfect: str, seed: int
) -> None:
    pages = [directory(10 * seed), directory(10 * seed + 1)]
    recognizers = {
        field: Noisy(
            pages,
            field,
            0.0 if field == perfect else 0.4,
            invents=(number + seed) % 2 == 0,
            seed=seed,
        )
        for number, field in enumerate(FIELDS)
    }
    found = corroborate([page.page for page in pages], recognizers)
    unseen = directory(10 * seed + 2)
    assert found.wrapper.extract(unseen.page).records == content(unseen)


def test_what_cannot_be_corroborated_says_so() -> None:
    with pytest.raises(CannotInduce, match="recognizer of field 'price' finds nothing"):
        corroborate([FIGURE_1.page], {"country": "country", "price": r"\$\d+"})

    def refuse(pages: Sequence[LabelledPage]) -> Wrapper:
        raise CannotInduce("no class reads these")

    with pytest.raises(CannotInduce, match="cannot be corroborated: no class reads these"):
        corroborate([FIGURE_1.page], {"country": "country", "code": r"\d+"}, refuse)


def test_all_recognizers_may_be_wrong_where_tags_tell_a_field() -> None:
    rows = "".join(
        f"<tr><td class=c><a href='/{number}'>{name}</a></td><td>{number}</td></tr>"
        for number, name in enumerate(("Congo", "Utopia", "Egypt", "Atlantis", "Spain"), 10)
    )
    page = Page(
        f"<p>From Chad to Peru</p><select><option>Spain<option>Togo</select><table>{rows}</table>7"
    )
    found = corroborate([page], {"country": "country", "code": r"\d+"})
    assert [record["country"] for record in found.wrapper.extract(page).records] == [
        "Congo", "Utopia", "Egypt", "Atlantis", "Spain",
    ]  # fmt: skip


def test_a_real_ranking_needs_no_labels() -> None:
    archive = Path(__file__).parents[2] / "shared/data/ranks.tar.xz"
    if not archive.exists():
        pytest.skip(f"real pages not found: {archive}")
    with tarfile.open(archive) as tar:
        html = tar.extractfile("ranks/airports/2020.htm")
        truth = tar.extractfile("ranks/airports/truth.json")
        assert html is not None
        assert truth is not None
        page, expected = Page(html.read()), json.load(truth)["2020"]
    found = corroborate([page], {"country": "country", "value": "number"})
    assert found.wrapper.extract(page).records == expected
