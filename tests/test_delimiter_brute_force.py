"""The learners find a wrapper exactly when the paper's generate-and-test does."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise, product

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from scrapy_wrapinduce.delimiter import learn
from scrapy_wrapinduce.delimiter.execute import run_nested, run_tabular
from scrapy_wrapinduce.delimiter.vector import CLASSES, NESTED, Event, Vector
from scrapy_wrapinduce.errors import CannotInduce
from scrapy_wrapinduce.labels import LabelledPage
from tests.delimiter_pages import labelled

Label = list[tuple[str, list[Event]]]


def substrings(text: str) -> list[str]:
    return sorted({text[i:j] for i in range(len(text)) for j in range(i + 1, len(text) + 1)})


def suffixes(text: str) -> list[str]:
    return [text[i:] for i in range(len(text))]


def prefixes(text: str) -> list[str]:
    return [text[: i + 1] for i in range(len(text))]


def label(pages: list[LabelledPage], fields: str) -> Label:
    result = []
    for page in pages:
        events = []
        pending = list(reversed(page.records))
        while pending:
            record = pending.pop()
            events += [
                Event(fields.index(name), *span) for name, span in sorted(record.values.items())
            ]
            for children in record.children.values():
                pending += reversed(children)
        result.append((page.page.html, events))
    return result


def gaps(examples: Label, attribute: int) -> list[str]:
    """neighbors_l of the paper, for tables and trees."""
    return [
        html[(events[at - 1].end if at else 0) : event.start]
        for html, events in examples
        for at, event in enumerate(events)
        if event.attribute == attribute
    ]


def followers(examples: Label, attribute: int) -> list[str]:
    """neighbors_r of the paper."""
    return [
        html[event.end : (events[at + 1].start if at + 1 < len(events) else len(html))]
        for html, events in examples
        for at, event in enumerate(events)
        if event.attribute == attribute
    ]


def heads(examples: Label) -> list[str]:
    return [html[: events[0].start] for html, events in examples]


def tails(examples: Label) -> list[str]:
    return [html[events[-1].end :] for html, events in examples]


def seps(examples: Label) -> list[str]:
    return [
        html[one.end : two.start]
        for html, events in examples
        for one, two in pairwise(events)
        if two.attribute == 0
    ]


def shortest(texts: list[str]) -> str:
    return min(texts, key=len)


def generate_and_test(family: str, examples: Label, fields: int) -> bool:
    """The paper's learn procedures: is any combination of candidates consistent?"""
    left = [suffixes(shortest(gaps(examples, k))) for k in range(fields)]
    right = [prefixes(shortest(followers(examples, k))) for k in range(fields)]
    # Right delimiters are independent in all classes (footnote 8), which keeps the enumeration feasible.
    for k in range(fields):
        right[k] = [
            text
            for text in right[k]
            if all(
                html.find(text, event.start) == event.end
                for html, events in examples
                for event in events
                if event.attribute == k
            )
        ][:1]
    if not all(right):
        return False
    run = run_nested if family in NESTED else run_tabular
    structure = CLASSES[family]
    for lefts in product(*left):
        for bounds in candidates(examples, structure):
            vector = Vector(lefts, tuple(texts[0] for texts in right), **bounds)
            if all(
                (result := run(vector, html)).events == events and not result.failures
                for html, events in examples
            ) and within_parts(vector, examples):
                return True
    return False


def candidates(examples: Label, structure: str) -> Iterator[dict[str, str]]:
    if not structure:
        yield {}
        return
    between = seps(examples)
    options: dict[str, list[str]] = {}
    if "h" in structure:
        options["head"] = ["", *common(substrings(shortest(heads(examples))), heads(examples))]
        options["tail"] = common(substrings(shortest(tails(examples))), tails(examples))
    if "o" in structure:
        before = [*between, *heads(examples)]
        behind = [*between, *tails(examples)]
        options["open"] = common(substrings(shortest(between or before)), before)
        options["close"] = ["", *common(substrings(shortest(between or behind)), behind)]
    for texts in product(*options.values()):
        yield dict(zip(options, texts, strict=True))


def common(texts: list[str], parts: list[str]) -> list[str]:
    return [text for text in texts if all(text in part for part in parts)]


def within_parts(vector: Vector, examples: Label) -> bool:
    """Constraints that exec does not enforce: close and open delimiters lie between the records."""
    if vector.open is None:
        return True
    return all(
        (at := sep.find(vector.close or "")) >= 0 and sep.find(vector.open, at) >= 0
        for sep in seps(examples)
    ) and all(
        (at := head.find(vector.head or "")) >= 0 and head.find(vector.open, at) >= 0
        for head in heads(examples)
    )


def texts(longest: int, least: int = 0) -> st.SearchStrategy[str]:
    return st.text("abc", min_size=least, max_size=longest)


@st.composite
def tables(draw: st.DrawFn, fields: int, longest: int) -> list[LabelledPage]:
    """Pages of records with fields a, b; parts are drawn from few pieces, so that many are consistent."""
    names = "xy"[:fields]
    lefts = [draw(texts(2, 1)) for _ in names]
    rights = [draw(texts(1)) for _ in names]
    values = st.text("abcz", max_size=2)
    pages = []
    for _ in range(draw(st.integers(1, 2))):
        source = draw(texts(longest - 2))
        for _ in range(draw(st.integers(1, 2))):
            for name, left, right in zip(names, lefts, rights, strict=True):
                source += f"{draw(texts(1))}{left}⟦{name} {draw(values)}⟧{right}"
        pages.append(labelled(source + draw(texts(longest - 1))))
    return pages


@st.composite
def trees(draw: st.DrawFn, longest: int) -> list[LabelledPage]:
    """Pages of records x that hold records y that hold records z."""
    lefts = {name: draw(texts(2, 1)) for name in "xyz"}
    rights = {name: draw(texts(1)) for name in "xyz"}
    values = st.text("abcd", max_size=2)
    pages = []
    for _ in range(draw(st.integers(1, 2))):
        source = draw(texts(longest - 2))
        order = [
            "x",
            *draw(st.sampled_from(["", "x", "y", "yy", "yz", "yzx", "yzyz", "yx", "yxy"])),
        ]
        for name in order:
            source += f"{draw(texts(1))}{lefts[name]}⟦{name} {draw(values)}⟧{rights[name]}"
        pages.append(labelled(source + draw(texts(longest - 1)), NESTING))
    return pages


NESTING = (("", "x"), ("ys", "y"), ("zs", "z"))


def check(family: str, pages: list[LabelledPage], fields: str) -> bool:
    examples = label(pages, fields)
    expected = generate_and_test(family, examples, len(fields))
    try:
        wrapper = learn(family, pages, end_of_page=False)
    except CannotInduce:
        assert not expected
    else:
        assert expected
        for html, events in examples:
            run = wrapper.run(html)
            assert run.events == events
            assert not run.failures
    return expected


QUICK = settings(deadline=None, suppress_health_check=list(HealthCheck))


@pytest.mark.parametrize("family", ["lr", "hlrt", "oclr"])
def test_tabular_classes_equal_generate_and_test(family: str) -> None:
    @settings(QUICK, max_examples=250)
    @given(tables(2, 4))
    def compare(pages: list[LabelledPage]) -> None:
        check(family, pages, "xy")

    compare()


def test_hoclrt_equals_generate_and_test() -> None:
    @settings(QUICK, max_examples=250)
    @given(tables(1, 4))
    def compare(pages: list[LabelledPage]) -> None:
        check("hoclrt", pages, "x")

    compare()


@pytest.mark.parametrize("family", NESTED)
def test_nested_classes_equal_generate_and_test(family: str) -> None:
    @settings(QUICK, max_examples=250)
    @given(trees(4))
    def compare(pages: list[LabelledPage]) -> None:
        used = {
            name
            for page in pages
            for name in "xyz"
            if any(event.attribute == "xyz".index(name) for event in label([page], "xyz")[0][1])
        }
        check(family, pages, "".join(sorted(used)))

    compare()
