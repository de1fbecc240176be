"""A made-up shop of cameras whose pages change while it is crawled."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from threading import Lock
from time import monotonic, sleep

from crawling import SPIDER, Answer, Crawl, LocalSite, crawl, project, serving

WORDS = "amber birch cedar dune ember fjord grove heath inlet jetty knoll larch moor north".split()
LABELS = {"price": "Price", "maker": "Maker", "code": "Item code", "weight": "Weight"}
OTHER_LABELS = {"price": "You pay", "maker": "Built by", "code": "Ref.", "weight": "Mass"}
FIELDS = ("name", *LABELS)
Design = Callable[[int], str]
# When so many pages were shown, the site waits until the crawl has its first wrapper, but not for ever: a test must not
# depend on how fast a machine learns. It learns from the first ten or, as one is the start page, fifteen.
SLOW = range(17, 34)
SECONDS = 5.0


def wait_for_wrapper(folder: Path) -> None:
    """Until a crawl in this project has learned something, or for a while."""
    end = monotonic() + SECONDS
    while not any(folder.glob(".scrapy/wrapinduce/*/wrappers/*/*.about")) and monotonic() < end:
        sleep(0.05)


def values(number: int) -> dict[str, str]:
    word = WORDS[number % 14]
    return {
        "name": f"{word.title()} {WORDS[(number * 5 + 3) % 14].title()} {number + 20}",
        "price": f"${number * 7 % 90 + 9}.{number * 13 % 90 + 10}",
        "maker": ("Norda", "Belwin", "Castor Optics", "Ilex")[(number * number + number // 3) % 4],
        "code": f"{'ABCD'[number % 4]}{'XYZ'[number % 3]}-{number * 7919 % 9000 + 1000}",
        "weight": f"{number * 31 % 800 + 150} g",
    }


def _about(number: int) -> str:
    words = " ".join(WORDS[(number * k + k * k) % 14] for k in range(2, 12))
    return f"A camera for {words}."


def old(
    number: int, row: dict[str, str] | None = None, names: tuple[str, ...] = tuple(LABELS)
) -> str:
    """A list of terms."""
    row = row or values(number)
    terms = "".join(f"<dt>{LABELS[name]}</dt><dd>{row[name]}</dd>" for name in names)
    return (
        f"<html><head><title>{row['name']} | Shop</title></head><body><div id=top><a href='/'>Shop</a></div>"
        f"<h1>{row['name']}</h1><dl class=facts>{terms}</dl><p class=about>{_about(number)}</p>"
        "<div id=foot>All prices with tax</div></body></html>"
    )


def turned(number: int) -> str:
    """The terms in another order."""
    return old(number, names=("maker", "code", "weight", "price"))


def cut(row: dict[str, str]) -> dict[str, str]:
    return {name: value[: (len(value) + 1) // 2].strip() for name, value in row.items()}


def short(number: int) -> str:
    """The same tags, with half of each value in them."""
    return old(number, cut(values(number)))


def closed(number: int) -> str:
    """The same tags, with nothing in them."""
    return old(number, dict.fromkeys(LABELS, "n/a") | {"name": values(number)["name"]})


def unpriced(number: int) -> str:
    """The same tags, but one value is for members only."""
    return old(number, values(number) | {"price": "Sign in to see it"})


def new(
    number: int,
    labels: dict[str, str] = LABELS,
    without: str = "",
    more: str = "",
) -> str:
    """A table in another order, between other things."""
    row = values(number)
    names = ("code", "weight", "price", "maker")
    rows = "".join(
        f'<tr class="spec-row"><th>{labels[name]}</th><td class="spec">{row[name]}</td></tr>'
        for name in names
        if name != without
    )
    return (
        f"<html><head><title>Shop: {row['name']}</title></head><body><header><nav><a href='/'>Start</a> "
        f"<a href='/help'>Help</a></nav></header><main><section class=intro><p>{_about(number)}</p></section>"
        f'<div class="headline"><h2>{row["name"]}</h2></div><table class="specs">{rows}{more}</table></main>'
        "<footer><p>Shop Ltd</p><p>Imprint</p></footer></body></html>"
    )


def reworded(number: int) -> str:
    return new(number, OTHER_LABELS)


def without_weight(number: int) -> str:
    return new(number, without="weight")


def with_lens(number: int) -> str:
    lens = f"{number * 17 % 70 + 15}-{number * 23 % 200 + 90} mm"
    return new(number, more=f'<tr class="spec-row"><th>Lens</th><td class="spec">{lens}</td></tr>')


def bare(number: int) -> str:
    """Another one: the facts first, each a line with its label in it."""
    row = values(number)
    names = ("maker", "price", "weight", "code")
    rows = "".join(f"<li><i>{LABELS[name]}:</i> <em>{row[name]}</em></li>" for name in names)
    return (
        f"<html><head><title>{row['name']}</title></head><body><div class=wrap><aside><h3>Shop news</h3></aside>"
        f"<article><ul class=data>{rows}</ul><h1 class=t>{row['name']}</h1></article></div></body></html>"
    )


def listed_on(number: int) -> list[dict[str, str]]:
    return [values(number * 10 + rank) for rank in range(6 + number % 5)]


def table(number: int) -> str:
    rows = "".join(
        f"<tr><td><a href='#{row['code']}'>{row['name']}</a></td><td>{row['price']}</td><td>{row['maker']}</td>"
        f"<td>{row['weight']}</td></tr>"
        for row in listed_on(number)
    )
    return (
        f"<html><head><title>Page {number} | Shop</title></head><body><h1>Cameras, page {number}</h1><table>"
        f"<tr><th>Name</th><th>Price</th><th>Maker</th><th>Weight</th></tr>{rows}</table>"
        "<p>All prices with tax</p></body></html>"
    )


def cards(number: int) -> str:
    rows = "".join(
        f"<article class=card><h3><a href='#{row['code']}'>{row['name']}</a></h3><p class=m>{row['maker']}</p>"
        f"<span class=w>{row['weight']}</span><strong class=p>{row['price']}</strong></article>"
        for row in listed_on(number)
    )
    return (
        f"<html><head><title>Shop: {number}</title></head><body><header><nav>Start Help</nav></header>"
        f"<main><h2>All cameras ({number})</h2>{rows}</main><footer>Shop Ltd</footer></body></html>"
    )


def error(number: int) -> str:
    """What a site says, with status 200, while its database is away."""
    return (
        "<html><head><title>Sorry | Shop</title></head><body><div id=top><a href='/'>Shop</a></div>"
        f"<h1>We will be right back</h1><p class=about>Our shop is being serviced. Incident {number * 7919 % 9000}.</p>"
        "<div id=foot>All prices with tax</div></body></html>"
    )


class Shop(dict[str, Answer | str]):
    """Answers with one design or another, by how many pages were asked for."""

    def __init__(self, pages: int, design: Callable[[int], Design]) -> None:
        self.paths = [f"/camera/{number}" for number in range(pages)]
        links = "".join(f'<li><a href="{path}">{path}</a></li>' for path in self.paths)
        super().__init__({"/": f"<html><body><ul>{links}</ul></body></html>"})
        self.design = design
        self.shown: dict[str, Design] = {}
        self.lock = Lock()
        self.folder = Path()

    def get(self, path: str, default: object = None) -> Answer | str:  # type: ignore[override]
        if path not in self.paths:
            return super().get(path, Answer(b"<h1>Not found</h1>", status=404))
        with self.lock:
            if len(self.shown) in SLOW:
                wait_for_wrapper(self.folder)
            self.shown[path] = self.design(len(self.shown))
        return self.shown[path](int(path.rpartition("/")[2]))


def crawl_shop(folder: Path, shop: Shop, **settings: object) -> Crawl:
    """Crawl it page by page; a wrapper is at work before the design changes."""
    with serving({}) as site:
        assert isinstance(site, LocalSite)
        site.answers = shop
        shop.folder = folder
        project(folder, SPIDER.format(url=site.url))
        spider = folder / "project/spiders/local.py"
        spider.write_text(
            spider.read_text()
            + "    custom_settings = {'CONCURRENT_REQUESTS': 1, 'DEPTH_LIMIT': 1, "
            "'RANDOMIZE_DOWNLOAD_DELAY': False}\n"
        )
        return crawl(
            folder, **{"WRAPINDUCE_SAMPLE_PAGES": "10", "DOWNLOAD_DELAY": "0.01", **settings}
        )


def by_path(result: Crawl) -> dict[str, dict[str, object]]:
    return {"/" + item["url"].split("/", 3)[3]: item for item in result.items}


def read_right(shop: Shop, result: Crawl, names: dict[str, str]) -> dict[str, tuple[int, int, int]]:
    """Per field on pages in a new design: right, missing and wrong under the name it has in the old one."""
    items = by_path(result)
    counts = {}
    for name in FIELDS:
        right = missing = wrong = 0
        for path, design in shop.shown.items():
            if design in (old, error):
                continue
            got = items.get(path, {}).get(names[name])
            true = values(int(path.rpartition("/")[2]))[name]
            right += got == true
            missing += got is None
            wrong += got is not None and got != true
        counts[name] = (right, missing, wrong)
    return counts


def names_of(shop: Shop, result: Crawl) -> dict[str, str]:
    """What each field is called in the items of the old design."""
    items = by_path(result)
    pages = [path for path, design in shop.shown.items() if design is old and path in items]
    found = {}
    for name in FIELDS:
        votes: dict[str, int] = {}
        for path in pages:
            true = values(int(path.rpartition("/")[2]))[name]
            for key, value in items[path].items():
                votes[key] = votes.get(key, 0) + (value == true)
        found[name] = max(votes, key=lambda key: votes[key], default=name)
    return found
