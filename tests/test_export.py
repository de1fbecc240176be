"""Wrappers as selectors: what is chosen, what is said honestly, and that the exported code runs."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from html import escape
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree
from parsel import Selector

from sample_project.shop_site import Site
from scrapy_wrapinduce import Page, induce, load
from scrapy_wrapinduce.export import CannotExport, compare, make_plan, overall
from scrapy_wrapinduce.export.cases import Case, page_rows
from scrapy_wrapinduce.export.choose import choose, pattern_for
from scrapy_wrapinduce.export.code import honest_words
from scrapy_wrapinduce.export.dom import Document, Text, Value, fold_text
from scrapy_wrapinduce.export.page_object import page_object_code
from scrapy_wrapinduce.export.rules import Rule, Where
from scrapy_wrapinduce.export.spider import spider_code
from scrapy_wrapinduce.export.wheres import literal
from scrapy_wrapinduce.wrapper import Extraction, Place

ROOT = Path(__file__).parents[1]
WRAPINDUCE = (sys.executable, "-m", "scrapy_wrapinduce")

BOOKS = [
    ("A Light in the Attic", "51.77", "a897fe39b1053632", ["poetry", "children"]),
    ("Tipping the Velvet", "53.74", "90fa61229261140a", ["history"]),
    ("Soumission", "50.10", "6957f44c3847a760", ["fiction", "politics", "france"]),
    ("Sharp Objects", "47.82", "e00eb4fd7b871a48", ["crime", "family"]),
]


def book_page(title: str, price: str, sku: str, tags: list[str]) -> Page:
    return Page(
        f"<html><body><div id=main><h1>{title}</h1><p class='price'>Price: {price} GBP</p>"
        f"<table><tr><th>Tax</th><td>0.00</td></tr><tr><th>SKU</th><td>{sku}</td></tr></table>"
        f"<ul class=tags>{''.join(f'<li>{tag}</li>' for tag in tags)}</ul></div></body></html>"
    )


PAGES = [book_page(*book) for book in BOOKS]
EXAMPLES = [
    {"title": title, "price": price, "sku": sku, "tags": tags} for title, price, sku, tags in BOOKS
]


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Product pages of the sample site, and a wrapper for them."""
    site, folder = Site(), tmp_path_factory.mktemp("shop")
    paths = [path for path, page in site.truth.items() if page.kind == "product" and page.conforms]
    (folder / "pages").mkdir()
    for number, path in enumerate(paths[:12]):
        html = site.html(path) or ""
        (folder / "pages" / f"{number:02}.html").write_text(html, encoding="utf-8")
    pages = [Page(file.read_bytes()) for file in sorted((folder / "pages").iterdir())]
    induce(pages).save(folder / "product.json")
    return folder


def command(*arguments: str | Path, cwd: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*map(str, arguments)],
        cwd=cwd,
        env={**os.environ, "PYTHONPATH": str(ROOT), "PYTHONUTF8": "1"},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def test_names_and_labels_are_preferred_to_positions() -> None:
    wrapper = induce(PAGES, examples=EXAMPLES)
    plan = make_plan(wrapper, PAGES)
    rules = {item.name: item.rules[0] for item in plan.fields}
    assert str(rules["sku"].where) == './/th[normalize-space()="SKU"]/following-sibling::td[1]'
    assert str(rules["price"].where) == "p.price"
    assert overall(compare(wrapper, plan, PAGES)).share == 1


def test_the_selectors_read_pages_that_were_no_sample() -> None:
    wrapper = induce(PAGES, examples=EXAMPLES)
    plan = make_plan(wrapper, PAGES)
    other = book_page("The Black Maria", "52.15", "1dfe412b8ac00530", ["poetry"])
    (record,) = plan.read(Selector(text=other.html).root)
    assert record["title"] == "The Black Maria"
    assert record["sku"] == "1dfe412b8ac00530"


def test_a_part_of_a_text_is_read_by_what_stands_around_it() -> None:
    assert pattern_for([("Price: 3 EUR", "3"), ("Price: 14 EUR", "14")]) == (
        r"^Price:\ (.*?)\ EUR$"
    )
    assert pattern_for([("abc", "x"), ("abd", "y")]) == ""


def test_records_are_read_from_their_container() -> None:
    def listing(rows: list[tuple[str, str]]) -> Page:
        body = "".join(
            f"<li class=hit><a href='/{i}'>{name}</a> <i>{price}</i></li>"
            for i, (name, price) in enumerate(rows)
        )
        return Page(f"<html><body><ul id=hits>{body}</ul><ul><li>About</li></ul></body></html>")

    first = [("Ink", "3.00"), ("Pen", "4.50"), ("Nib", "1.20")]
    second = [("Quill", "2.00"), ("Paper", "9.99"), ("Desk", "120.00"), ("Lamp", "31.00")]
    pages = [listing(first), listing(second)]
    examples = [[{"name": name, "price": price} for name, price in first], None]
    wrapper = induce(pages, examples=examples)
    plan = make_plan(wrapper, pages)
    assert plan.container is not None
    assert [r["name"] for r in plan.read(Selector(text=pages[1].html).root)] == [
        name for name, _ in second
    ]
    assert overall(compare(wrapper, plan, pages)).share == 1
    code = page_object_code(plan, "hit", ["shop.example"], [])
    compile(code, "exported", "exec")
    assert "class HitPage(WebPage[HitList]):" in code


def test_pages_of_another_template_are_refused() -> None:
    wrapper = induce(PAGES, examples=EXAMPLES)
    with pytest.raises(CannotExport, match="reads nothing"):
        make_plan(wrapper, [Page("<p></p>")])


def test_places_lead_to_their_nodes() -> None:
    html = "<p>a<!-- b -->c<br>d <b title='t&amp;u'>e</b>d </p><script>x<y</script>f"
    page = Page(html)
    document = Document(page)
    for text in "acdef":
        start = html.index(text, html.index("<b title") if text == "e" else 0)
        start = html.index(">e<") + 1 if text == "e" else start
        start = html.rindex("f") if text == "f" else start
        (node,) = document.at(start, start + 1)
        assert isinstance(node, Text)
        assert fold_text(node.content) == text
    at = html.index("t&amp;u")
    (value,) = document.at(at, at + 7)
    assert isinstance(value, Value)
    assert value.element.get(value.name) == "t&u"


@given(st.text(max_size=60), st.integers(0, 200), st.integers(0, 200))
def test_any_page_and_any_place_will_do(text: str, start: int, length: int) -> None:
    page = Page(f"<div><p a='{text}'>{text}<b>{escape(text)}</b></div>")
    Document(page).at(start, start + length)


@given(st.text(alphabet="ab\"' ", max_size=12))
def test_any_label_can_be_written_as_xpath(text: str) -> None:
    assert etree.XPath(literal(text))(etree.Element("a")) == text


def test_the_exported_spider_gives_the_wrappers_items(shop: Path) -> None:
    done = command(*WRAPINDUCE, "export", "product.json", "pages", "-o", "spider.py", cwd=shop)
    assert done.returncode == 0, done.stderr
    assert "values equal" in done.stderr
    done = command(
        sys.executable,
        "-m",
        "scrapy",
        "runspider",
        "spider.py",
        "-O",
        "items.jsonl",
        "-L",
        "ERROR",
        cwd=shop,
    )
    assert (done.returncode, done.stderr) == (0, "")
    lines = (shop / "items.jsonl").read_text(encoding="utf-8").splitlines()
    items = {Path(item["url"]).name: item for item in map(json.loads, lines)}
    wrapper = load(shop / "product.json")
    pairs = []
    for file in (shop / "pages").iterdir():
        item = items[file.name]
        (wanted,) = wrapper.items(Page(file.read_bytes(), url=item.pop("url")))
        pairs += [(item.get(name), wanted.get(name)) for name in {*item, *wanted}]
    assert sum(a == b for a, b in pairs) >= 0.95 * len(pairs)


def test_the_exported_page_object_passes_its_fixtures(shop: Path) -> None:
    pytest.importorskip("web_poet")
    options = ["--as", "page-object", "-o", "product_page.py", "--fixtures", "fixtures"]
    done = command(*WRAPINDUCE, "export", "product.json", "pages", *options, cwd=shop)
    assert done.returncode == 0, done.stderr
    done = command(
        sys.executable, "-m", "pytest", "-q", "fixtures", "-p", "no:cacheprovider", cwd=shop
    )
    assert done.returncode == 0, done.stdout
    assert "passed" in done.stdout


@pytest.mark.parametrize("form", ["parsel", "page-object"])
def test_exported_code_is_in_the_usual_format(shop: Path, form: str) -> None:
    export = ["export", "product.json", "pages", "--as", form, "-o", "code.py"]
    assert command(*WRAPINDUCE, *export, cwd=shop).returncode == 0
    for check in (["format", "--check"], ["check", "--ignore", "RUF012"]):
        ruff = [sys.executable, "-m", "ruff", *check, "--isolated", "code.py"]
        done = command(*ruff, cwd=shop)
        assert done.returncode == 0, done.stdout


def test_json_says_how_sure_it_is(shop: Path) -> None:
    done = command(*WRAPINDUCE, "export", "product.json", "pages", "--as", "json", cwd=shop)
    data = json.loads(done.stdout)
    assert set(data) == {"fields", "left_out"}
    assert all(item["equal"] <= item["total"] for item in data["fields"].values())


def test_without_pages_one_line_says_what_to_do(shop: Path) -> None:
    done = command(*WRAPINDUCE, "export", "product.json", "--as", "parsel", cwd=shop)
    (line,) = done.stderr.splitlines()
    assert done.returncode == 2
    assert "sample pages" in line


def test_hostile_words_stay_words(tmp_path: Path) -> None:
    evil = '"""\\"); import os; os.abort() #\n\'\'\''
    pages = [
        Page(f"<h1>{escape(evil)}{i}</h1><p class='{escape(evil)}'>{name}</p>")
        for i, name in enumerate(["ab", "cd", "ef"])
    ]
    wrapper = induce(pages, examples=[{evil: name} for name in ("ab", "cd", "ef")])
    plan = make_plan(wrapper, pages)
    words = [*honest_words(plan, compare(wrapper, plan, pages), 3), evil]
    for code in (
        spider_code(plan, "evil", ["http://a.example/'\""], words),
        page_object_code(plan, "evil", ["a.example"], words),
    ):
        compile(code, "exported", "exec")
        assert "os.abort" not in {name for line in code.split("\n") for name in _names(line)}


def _names(line: str) -> list[str]:
    """The dotted names that a line uses as code; none where it is no code by itself."""
    import ast

    try:
        tree = ast.parse(line.strip())
    except SyntaxError:
        return []
    return [ast.unparse(node) for node in ast.walk(tree) if isinstance(node, ast.Attribute)]


def test_tags_that_selectors_cannot_name_are_counted() -> None:
    pages = [
        Page(f"<div><o:p>x</o:p><st1:City><o:p>{city}</o:p></st1:City></div>")
        for city in ("Oslo", "Rome", "Lima")
    ]
    wrapper = induce(pages, examples=[{"city": city} for city in ("Oslo", "Rome", "Lima")])
    assert overall(compare(wrapper, make_plan(wrapper, pages), pages)).share == 1


def test_all_values_up_to_the_next_label_are_read() -> None:
    trades = [["Banking", "Law"], ["Mining"], ["Retail", "Music", "Print"], ["Opera", "Wool"]]
    documents, extractions = [], []
    for values in trades:
        cells = "".join(f"<dd>{value}</dd>" for value in values)
        page = Page(f"<dl><dt>Trades</dt>{cells}<dt>Kind</dt><dd>Full time</dd></dl>")
        at = page.html.index
        places = [Place(0, "trades", v, at(v), at(v) + len(v)) for v in values]
        documents.append(Document(page))
        extractions.append(Extraction([{"trades": values}], places=places))
    rows = page_rows(documents, extractions)
    chosen = choose("trades", [row.case("trades") for row in rows])
    assert [chosen.read(document.root) for document in documents] == trades


def test_all_elements_of_a_name_give_a_list() -> None:
    tags = [["poetry", "children"], ["history"], ["fiction", "politics", "france"]]
    documents, extractions = [], []
    for values in tags:
        links = ", ".join(f"<a class=tag href='/{value}'>#{value}</a>" for value in values)
        page = Page(f"<p><a href='/'>Home</a> {links} <a href='/more'>more</a></p>")
        at = page.html.index
        places = [Place(0, "tags", f"/{v}", at(f"/{v}"), at(f"/{v}") + len(v) + 1) for v in values]
        documents.append(Document(page))
        extractions.append(Extraction([{"tags": [f"/{v}" for v in values]}], places=places))
    rows = page_rows(documents, extractions)
    chosen = choose("tags", [row.case("tags") for row in rows])
    assert chosen.rules == (Rule(Where(css="a.tag"), "@href", 0, "texts"),)
    assert chosen.share == 1


def test_the_pages_beside_a_wrapper_are_enough(tmp_path: Path) -> None:
    (tmp_path / "pages").mkdir()
    for number, page in enumerate(PAGES):
        (tmp_path / "pages" / f"{number}.html").write_text(page.html, encoding="utf-8")
    done = command(*WRAPINDUCE, "learn", "pages", "-o", "book.json", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    for form, output in (
        ("parsel", "spider.py"),
        ("page-object", "page.py"),
        ("json", "book_s.json"),
    ):
        done = command(*WRAPINDUCE, "export", "book.json", "--as", form, "-o", output, cwd=tmp_path)
        assert done.returncode == 0, done.stderr
        assert "On 4 sample pages" in done.stderr
    run = (sys.executable, "-m", "scrapy", "runspider", "spider.py", "-O", "items.jsonl")
    assert command(*run, cwd=tmp_path).returncode == 0
    items = [json.loads(line) for line in (tmp_path / "items.jsonl").read_text().splitlines()]
    assert {title for title, *_ in BOOKS} <= {value for item in items for value in item.values()
                                              if isinstance(value, str)}  # fmt: skip


def test_texts_are_counted_as_the_wrapper_counts_them(tmp_path: Path) -> None:
    """Bullets, hard spaces and scripts between texts are no texts."""

    def page(number: int, words: str) -> Page:
        noise = "<br>\u00a0<br>•<script>var x = 1</script>" * (number % 3)
        return Page(
            f"<html><body><h1>Job {words}</h1><div id=body>{noise}We want {words}.<br>It is in "
            f"{words}ville.<br>{noise}Call {words} today</div></body></html>"
        )

    words = ("apt", "bold", "calm", "deft", "eager", "fair", "glad", "hale")
    pages = [page(number, word) for number, word in enumerate(words)]
    examples = [
        {"place": f"It is in {word}ville."} if n < 2 else None for n, word in enumerate(words)
    ]
    wrapper = induce(pages, examples=examples)
    plan = make_plan(wrapper, pages)
    assert overall(compare(wrapper, plan, pages)).share == 1
    (tmp_path / "spider.py").write_text(spider_code(plan, "jobs", [], []), encoding="utf-8")
    done = command(sys.executable, "-m", "scrapy", "runspider", "spider.py", cwd=tmp_path)
    assert done.returncode == 0, done.stderr


def test_rows_can_be_counted_from_the_end() -> None:
    def page(number: int) -> Page:
        rows = "".join(
            f"<tr><td>{row}</td><td>{row * 7 + number}</td></tr>" for row in range(2 + number)
        )
        total = f"<tr><td>all</td><td>{number * 100 + 7}</td></tr><tr><td>seen</td><td>{number + 40}</td></tr>"
        return Page(f"<html><body><table class=years>{rows}{total}</table></body></html>")

    pages = [page(number) for number in range(6)]
    scope_cases = page_rows(
        [Document(page) for page in pages],
        [
            Extraction([{"seen": f"{n + 40}"}], 1.0, [], [_place(p, f"{n + 40}")])
            for n, p in enumerate(pages)
        ],
    )
    chosen = choose("seen", [row.case("seen") for row in scope_cases])
    assert chosen.share == 1


def _place(page: Page, value: str) -> Place:
    at = page.html.rindex(value)
    return Place(0, "seen", value, at, at + len(value))


def nodes_case(pages: list[Page], name: str, values: list[list[str]]) -> list[Case]:
    """Cases of a field whose texts stand on pages as given."""
    extractions = []
    for page, texts in zip(pages, values, strict=True):
        places, at = [], 0
        for text in texts:
            at = page.html.index(text, at)
            places.append(Place(0, name, text, at, at + len(text)))
            at += len(text)
        extractions.append(Extraction([{name: texts}] if texts else [], places=places))
    rows = page_rows([Document(page) for page in pages], extractions)
    return [row.case(name) for row in rows]


def test_a_stretch_of_texts_ends_where_something_else_begins() -> None:
    values = [["One ", "two", " three."], ["Four."], ["Five ", "six"], ["Seven", "eight", "nine"]]
    pages = [
        Page(
            f"<div><h3>About</h3><div>{''.join(f'<i>{text}</i>' for text in texts[:1])}</div>"
            f"{''.join(f'<p>{text}</p>' for text in texts[1:])}<div class=x><h3>Price</h3>3</div></div>"
        )
        for texts in values
    ]
    folded = [[text.strip() for text in texts] for texts in values]
    chosen = choose("about", nodes_case(pages, "about", folded))
    assert [chosen.read(Document(page).root) for page in pages] == folded
    assert chosen.rules[0].until


def test_texts_are_counted_back_from_what_follows_them() -> None:
    values = [["red"], ["green"], ["blue"], ["pink"]]
    pages = [
        Page(f"<p>{'<i>more</i> ' * number}{colour}<br>4 left<br><b>Order now</b></p>")
        for number, (colour,) in enumerate(values)
    ]
    chosen = choose("colour", nodes_case(pages, "colour", values))
    assert [chosen.read(Document(page).root) for page in pages] == values
