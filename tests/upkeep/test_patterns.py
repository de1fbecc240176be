"""Value patterns as regular expressions."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapy_wrapinduce.tokenizer import fold
from scrapy_wrapinduce.upkeep.patterns import learn_patterns, matches


@pytest.mark.parametrize(
    ("values", "pattern", "also", "not_"),
    [
        (["$5.99", "$12.50", "$7.00"], r"\$\d{1,2}\.\d{2,2}", "$8.25", "8.25"),
        (
            ["12 May 2020", "3 June 2021", "30 July 2019"],
            r"\d{1,2}\s{1,9}[^\W\d_]{3,4}\s{1,9}\d{4,4}",
            "1 May 1999",
            "May 1999",
        ),
        (
            ["2020 IL App (1st) 17", "2021 IL App (2d) 190", "2020 IL App (3d) 12"],
            r"\d{4,4}\s{1,9}IL\s{1,9}App\s{1,9}\(\d{1,1}[^\W\d_]{1,2}\)\s{1,9}\d{2,3}",
            "2022 IL App (4d) 99",
            "2022 NY App (4d) 99",
        ),
    ],
)
def test_what_all_values_say_is_literal(
    values: list[str], pattern: str, also: str, not_: str
) -> None:
    assert learn_patterns(values) == (pattern,)
    assert matches([pattern], also)
    assert not matches([pattern], not_)


@given(st.lists(st.text(max_size=40).map(fold).filter(bool), min_size=2, max_size=8))
def test_values_that_taught_a_pattern_follow_it(values: list[str]) -> None:
    patterns = learn_patterns(values * 2)
    assert len(patterns) <= 4
    for pattern in patterns:
        assert any(matches([pattern], value) for value in values)


@given(st.lists(st.text(alphabet="aA9 (.*+?{[_-²é", max_size=500), min_size=1, max_size=6))
def test_no_pattern_can_blow_up(values: list[str]) -> None:
    for pattern in learn_patterns(values * 3):
        re.compile(pattern)
        # Classes are quantified once and bounded, nothing around them is; two of a kind never touch.
        bare = re.sub(r"\\[^\ds]|[A-Za-z0-9²éÉ ]", "", pattern.replace("(?s:.*)", ""))
        assert set("*+|").isdisjoint(bare)
        assert not re.search(r"(\\d\{\d+,\d+\}){2}|(\[\^\\W\\d_\]\{\d+,\d+\}){2}", pattern)


def test_few_values_of_a_shape_give_no_pattern() -> None:
    assert learn_patterns(["one"]) == ()
    assert learn_patterns([]) == ()
    assert learn_patterns([f"{n} a" for n in range(40)] + ["odd - one"]) == (r"\d{1,2}\s{1,9}a",)
