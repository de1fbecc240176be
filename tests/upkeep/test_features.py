"""Features: what values and profiles say, and properties that hold for any value."""

from __future__ import annotations

import json

from hypothesis import given, settings
from hypothesis import strategies as st

from scrapy_wrapinduce import Page, Wrapper, induce
from scrapy_wrapinduce.labels import Span
from scrapy_wrapinduce.records.tree import tree_of
from scrapy_wrapinduce.upkeep.features import Profile, profile
from scrapy_wrapinduce.upkeep.health import Health, health_of, kept_health
from scrapy_wrapinduce.upkeep.likeness import fit, likeness, words_alike
from scrapy_wrapinduce.upkeep.sightings import Observer, Sighting
from scrapy_wrapinduce.upkeep.values import marks, syntax


def sighting(value: str, **around: object) -> Sighting:
    about: dict[str, object] = {
        "start": 0, "end": len(value), "item": 0, "kind": "text", "linked": False, "within": "",
        "before": "", "head": "", "names": frozenset(), "companion": "",
    }  # fmt: skip
    return Sighting(value, **{**about, **around})  # type: ignore[arg-type]


def test_shapes() -> None:
    assert syntax("S-16-190").shape == "A-9-9"
    assert syntax("S-16-190").exact == "A-99-999"
    assert syntax("State v. Wood").shape == "Aa a. Aa"
    assert syntax("https://a.example/x/7").shape == syntax("/x/7").shape


def test_marks_are_numbers_and_codes() -> None:
    assert marks("/ops/sp-7024.pdf") & marks("7024 S-15473") == {"7024"}


def test_words_of_names() -> None:
    assert words_alike("Case Number", "case_numbers") == 1.0
    assert words_alike("Our Price", "Buy New") == 0.0


def test_annotations_stand_before_within_or_at_the_head() -> None:
    html = (
        "<table><tr><th>Judge</th><th>Term</th></tr><tr><td>Ann Lee</td><td>4</td></tr></table>"
        "<p><b>Author:</b> <i>Bo Ray</i></p><p>Price: 12</p>"
    )
    observer = Observer(tree_of(Page(html)))

    def see(value: str) -> Sighting:
        start = html.index(value)
        return observer.see(Span(start, start + len(value)), value)

    assert see("Ann Lee").head == "Judge"
    assert see("Bo Ray").before == "Author:"
    assert see("12").within == "Price:"


def test_an_attribute_knows_its_name_and_the_text_beside_it() -> None:
    html = '<a href="/f/12.pdf">No. 12</a>'
    seen = Observer(tree_of(Page(html))).see(Span(9, 18), "/f/12.pdf")
    assert (seen.kind, seen.companion) == ("@href", "No. 12")


def test_every_family_carries_its_health() -> None:
    rows = [("Congo", "242"), ("Egypt", "20"), ("Belize", "501"), ("Spain", "34")]
    html = "<ul>" + "".join(f"<li><b>{c}</b> <i>{n}</i></li>" for c, n in rows) + "</ul>"
    examples = [[{"country": c, "code": n} for c, n in rows]]
    for family in (None, "lr", "hlrt", "oclr", "hoclrt", "fuzzy"):
        wrapper = induce([Page(html)], family=family, examples=examples)
        health = kept_health(wrapper)
        assert set(health.fields) == {"country", "code"}, family
        assert wrapper.verify(Page(html)).ok
        assert not wrapper.verify(Page("<p>We have moved.</p>")).ok


VALUES = st.lists(st.text(max_size=40), min_size=1, max_size=12)


@settings(max_examples=60, deadline=None)
@given(VALUES)
def test_a_profile_is_like_itself_and_survives_json(values: list[str]) -> None:
    one = profile([sighting(value) for value in values])
    assert likeness(one, one) >= 0.6
    assert Profile.from_dict(json.loads(json.dumps(one.to_dict()))) == one


@settings(max_examples=60, deadline=None)
@given(VALUES, st.text(max_size=60))
def test_fits_and_likenesses_are_shares(values: list[str], other: str) -> None:
    one, two = profile([sighting(value) for value in values]), profile([sighting(other)])
    assert 0.0 <= fit(one, other) <= 1.0
    assert -1e-9 <= likeness(one, two) <= 1.0 + 1e-9


@settings(max_examples=40, deadline=None)
@given(st.text(alphabet="<>/ab=\"' tdrli#&;1", max_size=200))
def test_verifying_any_page_neither_raises_nor_lies(html: str) -> None:
    wrapper = _codes()
    verdict = wrapper.verify(Page(html))
    assert 0.0 <= verdict.score <= 1.0
    assert verdict.ok or verdict.reasons


def _codes() -> Wrapper:
    rows = [("Congo", "242"), ("Egypt", "20"), ("Belize", "501"), ("Spain", "34")]
    page = Page("<ul>" + "".join(f"<li><b>{c}</b> <i>{n}</i></li>" for c, n in rows) + "</ul>")
    return induce([page], examples=[[{"country": c, "code": n} for c, n in rows]])


def test_health_survives_json() -> None:
    page = Page("<ul><li><b>Congo</b> <i>242</i></li><li><b>Egypt</b> <i>20</i></li></ul>")
    rows = [{"country": "Congo", "code": "242"}, {"country": "Egypt", "code": "20"}]
    health = health_of(induce([page], examples=[rows]), [page])
    assert Health.from_dict(json.loads(json.dumps(health.to_dict()))) == health
