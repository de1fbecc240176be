"""Meng, Hu and Li's own examples: features, swapped columns, blocks, repair."""

from __future__ import annotations

import pytest
from video_pages import BOOKS, NEW, OLD, changed, original, price_table, wanted

from scrapy_wrapinduce import CannotRepair, Page, induce, load
from scrapy_wrapinduce.records.tree import tree_of
from scrapy_wrapinduce.upkeep.blocks import configure
from scrapy_wrapinduce.upkeep.candidates import candidates
from scrapy_wrapinduce.upkeep.health import kept_health
from scrapy_wrapinduce.upkeep.values import syntax
from scrapy_wrapinduce.wrapper import Wrapper


@pytest.fixture(scope="module")
def videos() -> Wrapper:
    return induce([Page(original(OLD), "http://shop/videos")], examples=[wanted(OLD)])


def test_table_2_data_features(videos: Wrapper) -> None:
    fields = kept_health(videos).fields
    linked = {name: field.profile.linked for name, field in fields.items()}
    assert linked == {"name": 1.0, "director": 0.0, "actors": 0.0, "dvd": 0.0, "vhs": 0.0}
    assert fields["dvd"].profile.shapes == {"9.9-9.9": 1.0}
    assert {syntax(v["director"]).shape for v in OLD} == set(fields["director"].profile.shapes)


def test_section_5_swapped_columns_are_noticed_by_their_annotations() -> None:
    heads = ("Title", "List Price", "Our Price")
    examples = [{"title": a, "list_price": b, "our_price": c} for a, b, c in BOOKS]
    wrapper = induce([Page(price_table(heads, (0, 1, 2)))], examples=[examples])
    assert wrapper.verify(Page(price_table(heads, (0, 1, 2)))).ok
    verdict = wrapper.verify(Page(price_table(heads, (0, 2, 1))))
    assert not verdict.ok
    assert {reason.field for reason in verdict.reasons} == {"list_price", "our_price"}
    assert "which announces 'our_price'" in str(verdict)


def test_reworded_annotations_alone_are_no_alarm() -> None:
    examples = [{"title": a, "list_price": b, "our_price": c} for a, b, c in BOOKS]
    old = price_table(("Title", "List Price", "Our Price"), (0, 1, 2))
    wrapper = induce([Page(old)], examples=[examples])
    assert wrapper.verify(Page(price_table(("Book", "Publisher's", "Buy New"), (0, 1, 2)))).ok


def test_figure_2_the_changed_page_is_noticed_and_repaired(videos: Wrapper) -> None:
    page = Page(changed(NEW), "http://shop/videos")
    assert videos.verify(Page(original(OLD))).ok
    assert not videos.verify(page).ok
    repaired = videos.repair(page)
    assert set(repaired.fields) == set(videos.fields)
    assert repaired.extract(page).records == wanted(NEW)
    assert repaired.verify(page).ok


def test_a_wrapper_that_fits_is_kept(videos: Wrapper) -> None:
    assert videos.repair(Page(original(NEW))) is videos


def test_pages_about_something_else_are_not_guessed_at(videos: Wrapper) -> None:
    rows = "".join(f"<li>Chapter {i}: the weather was fair</li>" for i in range(9))
    with pytest.raises(CannotRepair, match=r"shop/other.*field '\w+'|looks like"):
        videos.repair(Page(f"<html><body><ul>{rows}</ul></body></html>", "http://shop/other"))


def test_health_is_kept_in_the_file(videos: Wrapper, tmp_path: object) -> None:
    path = f"{tmp_path}/videos.json"
    videos.save(path)
    again = load(path)
    assert kept_health(again) == kept_health(videos)
    assert not again.verify(Page(changed(NEW))).ok


def test_blocks_are_the_highest_elements_that_do_not_over_match() -> None:
    tree = tree_of(Page("<ul><li><b>a</b><i>1</i></li><li><b>b</b><i>2</i></li></ul>"))
    found = {c.value: c for c in candidates(tree, {"text"})}
    blocks = configure(tree, {"x": [found["a"], found["b"]], "y": [found["1"], found["2"]]})
    values = [{f: c[0].value for f, c in block.items()} for block in blocks.records]
    assert values == [{"x": "a", "y": "1"}, {"x": "b", "y": "2"}]
    assert blocks.fullness == 1.0


def test_partial_blocks_that_are_siblings_are_merged() -> None:
    tree = tree_of(Page("<div><h3>a</h3><p>1</p><h3>b</h3><p>2</p><h3>c</h3></div>"))
    found = {c.value: c for c in candidates(tree, {"text"})}
    blocks = configure(
        tree, {"x": [found["a"], found["b"], found["c"]], "y": [found["1"], found["2"]]}
    )
    values = [{f: c[0].value for f, c in block.items()} for block in blocks.records]
    assert values == [{"x": "a", "y": "1"}, {"x": "b", "y": "2"}, {"x": "c"}]
    assert 0.5 < blocks.fullness < 1.0
