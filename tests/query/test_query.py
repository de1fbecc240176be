"""Queries over one page, many pages and several sources, from the paper's own to those that fail."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator, Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from scrapy_wrapinduce.cli import main
from scrapy_wrapinduce.page import Page
from scrapy_wrapinduce.query import (
    ItemsSource,
    LiveSource,
    PagesSource,
    QueryError,
    SourceUnavailable,
    UnknownPath,
    lookup,
    query,
)
from scrapy_wrapinduce.query.fetch import fetch
from scrapy_wrapinduce.sections import learn

pytest.importorskip("duckdb", reason="queries need the extra 'query'")

HTML = (
    "<h1>{0}</h1><h3>Geography</h3><p><b>Land boundaries:</b> {1}</p>"
    "<h3>Economy</h3><p><b>Debt - external:</b> {2}</p><p><b>Defense:</b> {3}</p>"
)
# Of Figure 4 of the paper: the answer to "External debt and defense expenditures of all countries in the EEC".
COUNTRIES = {
    "Austria": (
        "total 2,496 km, Germany 784 km, Italy 430 km",
        "$21.5 billion (1994 est.)",
        "about $1.8 billion",
    ),
    "Belgium": (
        "total 1,385 km, France 620 km",
        "$31.3 billion (1992 est.)",
        "$3.9 billion, 1.8% of GDP (1994)",
    ),
    "Germany": (
        "total 3,621 km, Austria 784 km, Poland 456 km",
        "$NA",
        "$40 billion, 1.8% of GNP (1995)",
    ),
    "Chad": (
        "total 5,968 km, Libya 1,055 km",
        "$757 million (December 1993 est.)",
        "$74 million, 11.1% of GDP (1994)",
    ),
}
PAGES = {name: Page(HTML.format(name, *facts)) for name, facts in COUNTRIES.items()}
WRAPPER = learn(list(PAGES.values()))
FACTBOOK = PagesSource("factbook", WRAPPER, PAGES.items, key="country")
REGIONS = ItemsSource(
    "regions",
    lambda: (
        [{"country": name, "region": "EEC"} for name in ("Austria", "Belgium", "Germany")]
        + [{"country": "Chad", "region": "Africa"}]
    ),
)


def test_the_paper_s_query_over_several_sources() -> None:
    answer = query(
        "SELECT country, Economy.Debt_external, Economy.Defense FROM factbook JOIN regions USING (country)"
        " WHERE region = 'EEC' ORDER BY country",
        [FACTBOOK, REGIONS],
    )
    assert answer.columns == ("country", "Debt_external", "Defense")
    assert answer.rows == [
        (name, *COUNTRIES[name][1:]) for name in ("Austria", "Belgium", "Germany")
    ]


def test_the_countries_that_border_one() -> None:
    answer = query(
        "SELECT unnest(pairs(Geography.Land_boundaries), recursive := true) FROM factbook WHERE country = 'Austria'",
        [FACTBOOK],
    )
    assert answer.dicts()[1:] == [
        {"name": "Germany", "value": "784 km"},
        {"name": "Italy", "value": "430 km"},
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("$21.5 billion (1994 est.)", (21.5e9, "$", None, 1994)),
        (
            "exchange rate conversion - about $1.8 billion, 0.9% of GDP (1994)",
            (1.8e9, "$", None, 1994),
        ),
        ("-$908 million (2017 est.)", (-908e6, "$", None, 2017)),
        (
            "$630.8 billion (31 December 2017 est.) / $679.3 billion (2015)",
            (630.8e9, "$", None, 2017),
        ),
        ("EUR 12.50", (12.5, "EUR", None, None)),
        ("547,030 sq km", (547030, None, "sq km", None)),
        ("14,000 bbl/day (2018 est.)", (14000, None, "bbl/day", 2018)),
        ("-2% (of GDP) (2017 est.)", (-2, None, "%", 2017)),
        ("29 (2018 est.)", (29, None, None, 2018)),
        ("$NA", None),
        ("", None),
    ],
)
def test_texts_are_typed_where_asked(text: str, expected: tuple[object, ...] | None) -> None:
    items = ItemsSource("t", lambda: [{"text": text}])
    [[value]] = query('SELECT quantity("text") FROM t', [items]).rows
    assert (tuple(value.values()) if value else None) == expected


def test_paths_into_one_page() -> None:
    [record] = WRAPPER.extract(PAGES["Austria"]).records
    assert lookup(record, "economy.debt_external") == "$21.5 billion (1994 est.)"
    assert lookup(record, "Geography.Land_boundaries.Italy") == "430 km"
    with pytest.raises(
        UnknownPath, match=r"^the page has no Economy\.Debts; did you mean Economy\.Debt_external"
    ):
        lookup(record, "Economy.Debts")


class Web:
    """Answers for a live source, and what was asked."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def __call__(self, urls: Sequence[str]) -> dict[str, Page | str]:
        self.asked += urls
        return {url: PAGES.get(url.rpartition("/")[2].title(), "status 404") for url in urls}


ALL = {name: name.lower() for name in (*COUNTRIES, "Atlantis")}


@pytest.mark.parametrize(
    ("condition", "needed"),
    [
        ("l.country = 'Chad'", "chad"),
        ("country IN ('Chad', 'Belgium') AND Economy.Defense LIKE '%1994%'", "belgium chad"),
        ("country LIKE 'A%ia' OR country = 'Chad'", "austria chad"),
        ("Economy.Defense LIKE '%1994%'", "atlantis austria belgium chad germany"),
        ("country = 'Chad' OR Economy.Defense = ''", "atlantis austria belgium chad germany"),
        ("l.country = (SELECT max(r.country) FROM regions r)", "germany"),
    ],
)
def test_only_the_pages_that_a_query_needs_are_fetched(condition: str, needed: str) -> None:
    web = Web()
    source = LiveSource("live", WRAPPER, "http://f.example/{country}", web, "country", ALL)
    query(f"SELECT country FROM live l WHERE {condition}", [source, REGIONS])
    assert sorted(url.rpartition("/")[2] for url in web.asked) == needed.split()


def test_a_join_says_which_pages_are_needed_of_a_source_that_cannot_list_its_own() -> None:
    web = Web()
    source = LiveSource("live", WRAPPER, "http://f.example/{country}", web, "country", str.lower)
    answer = query(
        "SELECT l.country FROM live l JOIN regions r ON r.country = l.country WHERE r.region = 'Africa'",
        [source, REGIONS],
    )
    assert answer.rows == [("Chad",)]
    assert web.asked == ["http://f.example/chad"]


def test_pages_that_do_not_answer_are_named() -> None:
    source = LiveSource("live", WRAPPER, "http://f.example/{country}", Web(), "country", ALL)
    answer = query("SELECT country FROM live WHERE country IN ('Chad', 'Atlantis')", [source])
    assert answer.rows == [("Chad",)]
    assert answer.warnings == ("source live lacks a page: http://f.example/atlantis: status 404",)
    with pytest.raises(
        SourceUnavailable, match=r"^source live does not answer: http://f\.example/atlantis: status"
    ):
        query("SELECT country FROM live WHERE country = 'Atlantis'", [source])


@pytest.mark.parametrize(
    ("sql", "message"),
    [
        ("SELEC country", 'the query fails: syntax error at or near "SELEC"'),
        ("DROP TABLE factbook", "the query fails: it must be one SELECT"),
        ("SELECT 1; SELECT 2", "the query fails: it must be one SELECT"),
        ("SELECT * FROM fctbook", "there is no source fctbook; there are: factbook, regions"),
        (
            "SELECT Economi.Debt FROM factbook",
            "source factbook has no Economi.Debt; did you mean Economy.Debt_external",
        ),
        (
            "SELECT f.Economy.Defence FROM factbook f",
            "source factbook has no Economy.Defence; did you mean Economy.Defe",
        ),
        ("SELECT country + 1 FROM factbook", "the query fails: "),
        (
            "SELECT country FROM live",
            "source live cannot list its pages: say which, as in WHERE country = '…'",
        ),
    ],
)
def test_a_query_that_fails_says_so_in_one_line(sql: str, message: str) -> None:
    live = LiveSource("live", WRAPPER, "http://f.example/{country}", Web(), "country")
    sources = [FACTBOOK, REGIONS] if "live" not in sql else [live]
    with pytest.raises(QueryError) as caught:
        query(sql, sources)
    assert str(caught.value).startswith(message)
    assert "\n" not in str(caught.value)


def test_items_of_any_shape_are_a_table() -> None:
    items = [
        {"name": "a", "price": 1, "sizes": ["s", "m"], "offers": [{"by": "x"}], "Name": "A"},
        {"name": "b", "price": 2.5, "sizes": "l", "offers": None, "more": {"deep": "text"}},
        {"name": None, "price": None, "more": "plain"},
    ]
    answer = query(
        "SELECT name, price, sizes, offers[1].by, more.deep, more.text FROM i",
        [ItemsSource("i", lambda: items)],
    )
    assert answer.rows == [
        ("a", 1.0, ["s", "m"], "x", None, None),
        ("b", 2.5, ["l"], None, "text", None),
        (None, None, None, None, None, "plain"),
    ]


@pytest.fixture
def site() -> Iterator[tuple[str, list[str]]]:
    asked: list[str] = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked.append(self.path)
            page = PAGES.get(self.path.strip("/").title())
            self.send_response(200 if page else 404)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.end_headers()
            self.wfile.write(page.html.encode() if page else b"")

        def log_message(self, *_: object) -> None: ...

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}", asked
    server.shutdown()
    server.server_close()


def test_live_pages_come_through_scrapy_and_are_kept(
    site: tuple[str, list[str]], tmp_path: Path
) -> None:
    address, asked = site
    urls = [f"{address}/chad", f"{address}/atlantis"]
    for _ in range(2):
        answers = fetch(urls, cache=str(tmp_path), timeout=60)
        assert isinstance(page := answers[urls[0]], Page)
        assert page.html == PAGES["Chad"].html
        assert answers[urls[1]] == "the server answers with status 404"
    assert asked.count("/chad") == 1


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "pages").mkdir()
    for name, page in PAGES.items():
        (tmp_path / "pages" / f"{name.lower()}.html").write_text(page.html)
    WRAPPER.save(tmp_path / "factbook.json")
    (tmp_path / "regions.jsonl").write_text(
        "".join(json.dumps(item) + "\n" for item in REGIONS.items())
    )
    sources = {
        "factbook": {"wrapper": "factbook.json", "pages": "pages", "key": "country", "keys": ALL},
        "regions": {"items": "regions.jsonl"},
        "live": {
            "wrapper": "factbook.json",
            "url": "http://127.0.0.1:9/{country}",
            "key": "country",
        },
    }
    (tmp_path / "sources.json").write_text(json.dumps(sources))
    return tmp_path


def test_the_command_line(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sources = ["--sources", str(folder / "sources.json")]
    sql = "SELECT country, Economy.Debt_external FROM factbook JOIN regions USING (country) WHERE region = 'Africa'"
    assert main(["query", sql, *sources]) == 0
    assert capsys.readouterr().out == (
        "country  Debt_external\n"
        "-------  ---------------------------------\n"
        "Chad     $757 million (December 1993 est.)\n"
    )
    assert main(["query", sql, *sources, "--format", "csv"]) == 0
    assert (
        capsys.readouterr().out
        == "country,Debt_external\r\nChad,$757 million (December 1993 est.)\r\n"
    )
    output = folder / "answer.json"
    source = f"f={folder / 'factbook.json'}:{folder / 'pages'}"
    assert (
        main(
            [
                "query",
                "SELECT page FROM f ORDER BY page LIMIT 1",
                "--source",
                source,
                "-o",
                str(output),
            ]
        )
        == 0
    )
    assert json.loads(output.read_text()) == [{"page": "austria"}]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ["SELECT Economy.Debts FROM factbook"],
            "source factbook has no Economy.Debts; did you mean",
        ),
        (
            ["SELECT country FROM live WHERE country = 'x'"],
            "source live does not answer: http://127.0.0.1:9/x: ",
        ),
        (["SELECT 1 FROM x", "--source", "x"], "--source x: must be NAME=wrapper.json:PAGES"),
        (["SELECT 1 FROM x", "--source", "x=nowhere.json:y"], "nowhere.json: No such file"),
        (["SELECT 1 FROM x", "--source", "x=nowhere.jsonl"], "nowhere.jsonl: No such file"),
    ],
)
def test_the_command_line_says_in_one_line_what_is_wrong(
    folder: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], message: str
) -> None:
    cache = ["--cache", str(folder / "cache")]
    assert main(["query", *arguments, "--sources", str(folder / "sources.json"), *cache]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert message in captured.err
    assert captured.err.count("\n") == 1
