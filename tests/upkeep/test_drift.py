"""A site that is redesigned in the middle of a crawl."""

from __future__ import annotations

import random
from pathlib import Path
from threading import Lock

from crawling import SPIDER, Answer, Crawl, LocalSite, crawl, project, serving
from shifting_site import SLOW, Shop, crawl_shop, wait_for_wrapper

from sample_project.shop_site import Site

PAGES = 60


class Redesigned(dict[str, Answer | str]):
    """Answers in the old design first, then in the new one."""

    def __init__(self, folder: Path, after: int) -> None:
        self.folder = folder
        self.old = Site()
        self.new = self.old.redesigned()
        truth = self.old.truth
        found = [path for path, page in truth.items() if page.kind == "product" and page.conforms]
        # The shop lists its products by category; a redesign should not look like a change of category.
        self.paths = random.Random(1).sample(found, PAGES)
        links = "".join(f'<li><a href="{path}">{path}</a></li>' for path in self.paths)
        super().__init__({"/": f"<html><body><ul>{links}</ul></body></html>"})
        self.after = after
        self.asked = 0
        self.lock = Lock()

    def get(self, path: str, default: object = None) -> Answer | str:  # type: ignore[override]
        if path not in self.paths:
            return super().get(path, Answer(b"<h1>Not found</h1>", status=404))
        with self.lock:
            if self.asked in SLOW and self.asked < self.after:
                wait_for_wrapper(self.folder)
            self.asked += 1
            site = self.old if self.asked <= self.after else self.new
        return site.html(path) or ""


def crawl_redesigned(folder: Path, after: int, **settings: object) -> tuple[Redesigned, Crawl]:
    answers = Redesigned(folder, after)
    with serving({}) as site:
        assert isinstance(site, LocalSite)
        site.answers = answers
        project(folder, SPIDER.format(url=site.url))
        spider = folder / "project/spiders/local.py"
        # Only the products: their links to the rest of the shop lead nowhere here.
        spider.write_text(
            spider.read_text()
            + "    custom_settings = {'DEPTH_LIMIT': 1, 'CONCURRENT_REQUESTS': 2}\n"
        )
        return answers, crawl(folder, WRAPINDUCE_SAMPLE_PAGES="10", **settings)


def test_every_page_gives_its_item_under_the_old_names(tmp_path: Path) -> None:
    answers, result = crawl_redesigned(tmp_path, after=30)
    truth = answers.old.truth
    items = {"/" + item["url"].split("/", 3)[3]: item for item in result.items}
    assert set(answers.paths) <= set(items)
    assert result.paths().most_common(1)[0][1] == 1
    assert result.stats["wrapinduce/wrappers/repaired"] >= 1
    assert "takes over the fields of" in result.log
    right = sum(
        items[path].get(name) == truth[path].fields[field]
        for path in answers.paths
        for name, field in (("price", "price"), ("brand", "brand"), ("sku", "sku"))
    )
    assert right >= 0.95 * 3 * PAGES


def test_a_crawl_can_be_stopped_instead(tmp_path: Path) -> None:
    _, result = crawl_drifting(tmp_path, "stop")
    assert result.stats["finish_reason"] == "wrapinduce_drift"
    assert result.stats["wrapinduce/drift/noticed"] == 1


def test_or_only_be_warned_of(tmp_path: Path) -> None:
    paths, result = crawl_drifting(tmp_path, "warn")
    assert result.stats["finish_reason"] == "finished"
    assert result.log.count("seem to have been redesigned") == 1
    assert set(result.paths()) == set(paths)


def crawl_drifting(folder: Path, action: str) -> tuple[list[str], Crawl]:
    """A site whose second half has the fields of its template in each other's places."""
    shop = Shop(60, lambda shown: case if shown < 30 else mixed_up)
    return shop.paths, crawl_shop(folder, shop, WRAPINDUCE_ON_DRIFT=action)


def case(number: int, *, mixed: bool = False) -> str:
    values = [
        f"{number + 100}-AB-{number % 10}",
        f"{number % 28 + 1} May 20{number % 30:02}",
        NAMES[number % 7],
    ]
    if mixed:
        values = [values[2], values[0], values[1]]
    spans = "".join(
        f'<p class="{name}">{name.title()}: <b>{value}</b></p>'
        for name, value in zip(("number", "day", "judge"), values, strict=True)
    )
    return f"<html><body><h1>Case</h1><div>{spans}</div><p>End</p></body></html>"


def mixed_up(number: int) -> str:
    return case(number, mixed=True)


NAMES = ("Ann Lee", "Bo Ray", "Cy Moss", "Di Fox", "Ed Hill", "Flo Orr", "Gus Pym")
