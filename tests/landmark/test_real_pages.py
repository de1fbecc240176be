"""Landmark trees on pages of real sites, where the shared data is at hand."""

from __future__ import annotations

import json
import os
import tarfile
from pathlib import Path

import pytest

from scrapy_wrapinduce.landmark.learn import learn
from scrapy_wrapinduce.landmark.read import Reader
from scrapy_wrapinduce.landmark.tokens import tokenize
from scrapy_wrapinduce.page import Page
from scrapy_wrapinduce.tokenizer import fold

SHARED = Path(os.environ.get("WRAPINDUCE_SHARED_DATA") or Path(__file__).parents[3] / "shared/data")
SITES = ("university-ecampustours", "job-monster")


def load(site: str) -> tuple[list[Page], dict[str, Page], dict[str, dict[str, list[str]]]]:
    """The pages to learn from, those to read, and what they say."""
    archive = SHARED / "swde" / f"{site}.tar.xz"
    if not archive.exists():
        pytest.skip(f"{archive} is not here")
    train, test, truth = [], {}, {}
    with tarfile.open(archive) as tar:
        for member in sorted(tar.getmembers(), key=lambda member: member.name):
            file = tar.extractfile(member) if member.isfile() else None
            if file is None:
                continue
            if member.name.endswith("truth.json"):
                truth = json.load(file)
            elif "/train/" in member.name:
                train.append(Page(file.read()))
            elif "/test/" in member.name and len(test) < 10:
                test[Path(member.name).stem] = Page(file.read())
    return train, test, truth


@pytest.mark.parametrize("search", ["astar", "greedy-inf"])
@pytest.mark.parametrize("site", SITES)
def test_every_attribute_has_a_nonterminal(site: str, search: str) -> None:
    train, test, truth = load(site)
    learned = learn([tokenize(page) for page in train], search)
    assert learned.report.left_out == ()
    reader = Reader(learned.tree)
    found: dict[tuple[int, int], dict[str, str]] = {}
    for name, page in test.items():
        for nonterminal, (start, end) in reader.read(page).regions.items():
            texts = (
                [fold(text) for text in Page(page.html[start:end]).parts[::2]]
                if end - start < 2000
                else []
            )
            found.setdefault(nonterminal, {})[name] = " ".join(filter(None, texts))
    for attribute in {attribute for name in test for attribute in truth[name]}:
        right = max(
            sum(held.get(name) in map(fold, truth[name].get(attribute, [])) for name in test)
            for held in found.values()
        )
        having = sum(bool(truth[name].get(attribute)) for name in test)
        assert right >= 0.7 * having, attribute


@pytest.mark.parametrize("site", SITES)
def test_two_samples_of_a_site_give_most_nonterminals_the_same_names(site: str) -> None:
    train, _, _ = load(site)
    one, two = (
        {
            path
            for node in learn([tokenize(page) for page in half]).tree.nodes
            for path in node.paths
        }
        for half in (train[::2], train[1::2])
    )
    assert 2 * len(one & two) > 0.7 * (len(one) + len(two))
