"""The studio: corrections as examples, a server that trusts nobody, and a newcomer's path in a real browser."""

from __future__ import annotations

import http.client
import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import pytest
from browsing import click_on_page, open_browser, settled, studio_of, wait

from scrapy_wrapinduce import Page
from scrapy_wrapinduce.cli import main
from scrapy_wrapinduce.cli.pages import read_pages
from scrapy_wrapinduce.stores.sample import read_sample, sample_path
from scrapy_wrapinduce.studio.corrections import drop, rename, set_value
from scrapy_wrapinduce.studio.kept import ChangedElsewhere
from scrapy_wrapinduce.studio.moment import StudioPage
from scrapy_wrapinduce.studio.project import Project
from scrapy_wrapinduce.studio.records import Refused, renamed, without
from scrapy_wrapinduce.studio.server import LARGEST_REQUEST, Studio
from scrapy_wrapinduce.studio.view import state
from scrapy_wrapinduce.studio.workspace import of_project

ROOT = Path(__file__).parents[1]
BOOKS = [
    ("Ink & Paper", "51.77", "a897"),
    ("The Quill", "53.74", "90fa"),
    ("A Nib", "50.10", "6957"),
    ("Blotters", "47.82", "e00e"),
    ("The Lamp", "13.99", "1dfe"),
]


def book_html(title: str, price: str, sku: str, more: str = "") -> str:
    shown = title.replace("&", "&amp;")
    return (
        f"<html><body><h1>{shown}</h1><p class=price>Price: <b>{price}</b></p>"
        f"<table><tr><th>SKU</th><td>{sku}</td></tr></table>{more}</body></html>"
    )


@pytest.fixture
def project(tmp_path: Path) -> Project:
    pages = [
        StudioPage(f"{number}.html", Page(book_html(*book))) for number, book in enumerate(BOOKS)
    ]
    found = Project(pages, tmp_path / "examples.json", tmp_path / "wrapper.json")
    found.learn()
    return found


def place(project: Project, text: str) -> int:
    return project.pages[0].page.html.index(text)


def test_one_click_makes_a_field_on_all_pages(project: Project) -> None:
    project.correct(set_value, 0, "stock_number", "a897", place(project, "a897"))
    assert [extraction.records[0]["stock_number"] for extraction in project.extractions] == [
        sku for _, _, sku in BOOKS
    ]
    saved = json.loads(project.examples_path.read_text(encoding="utf-8"))
    assert saved["0.html"]["stock_number"] == "a897"
    assert project.wrapper_path.exists()


def test_a_field_with_a_poor_name_gets_the_new_one(project: Project) -> None:
    before = len(project.fields())
    project.correct(set_value, 0, "stock_number", "a897", place(project, "a897"))
    assert len(project.fields()) == before


def test_types_that_were_found_survive_a_correction(tmp_path: Path) -> None:
    pages = [
        StudioPage(sku, Page(book_html(title, price, sku, f"<img src='/covers/{sku}.jpg' alt='{title}'>")))
        for title, price, sku in BOOKS
    ]  # fmt: skip
    project = Project(pages, tmp_path / "examples.json", tmp_path / "wrapper.json")
    project.learn()
    assert project.now.types == {"image": "url"}
    project.correct(set_value, 0, "stock_number", "a897", place(project, ">a897<") + 1)
    assert project.wrapper is not None
    assert project.wrapper.types == {"image": "url"}
    saved = json.loads(project.examples_path.read_text(encoding="utf-8"))
    assert saved["types"] == {"image": "url"}


def test_a_correction_changes_nothing_else(tmp_path: Path) -> None:
    """Also where other fields are cleaned of labels, or have on one page the value of a neighbour."""
    pages = [
        StudioPage(sku, Page(
            f"<h1>{title}</h1><p class=a>Our price: £{price}</p><p class=b>List price: £{price if n < 2 else n}</p>"
            f"<ul class=s>{''.join(f'<li>Size {size}</li>' for size in range(n % 3 + 2))}</ul><i>{sku}</i>"
        ))
        for n, (title, price, sku) in enumerate(BOOKS)
    ]  # fmt: skip
    project = Project(pages, tmp_path / "examples.json", tmp_path / "wrapper.json")
    project.learn()
    before = [project.now.items(page) for page in range(len(pages))]
    assert before[0][0]["list_price"] == "£51.77"
    project.correct(rename, "list_price", "was")
    after = [[renamed(r, "list_price", "was") for r in records] for records in before]
    assert [project.now.items(page) for page in range(len(pages))] == after
    project.correct(set_value, 0, "number", "51.77", project.pages[0].page.html.index("Our price"))
    for page, records in enumerate(after):
        item = project.now.items(page)[0]
        assert (item["number"], without(item, "number")) == (BOOKS[page][1], records[0])
    now, title = project.now, next(iter(item))
    with pytest.raises(Refused, match=r"cannot be taught that .* is 'Ink': it would read"):
        project.correct(set_value, 0, title, "Ink", project.pages[0].page.html.index("Ink"))
    assert project.now is now


def test_the_value_in_an_item_is_the_one_that_is_clicked(project: Project) -> None:
    price = next(
        at for at in project.extractions[0].places if at.value in ("51.77", "Price: 51.77")
    )
    project.correct(set_value, 0, "cost", project.now.cleaned(price), price.start)
    assert price.field not in project.fields()
    assert [project.now.items(n)[0]["cost"] for n in range(5)] == [cost for _, cost, _ in BOOKS]


def test_what_was_changed_by_hand_is_not_overwritten(project: Project) -> None:
    project.correct(rename, "title", "name")
    saved = project.examples_path.read_text(encoding="utf-8").replace('"name"', '"called"')
    project.examples_path.write_text(saved, encoding="utf-8")
    now = project.now
    with pytest.raises(ChangedElsewhere, match=r"examples\.json was changed by somebody else"):
        project.correct(rename, "name", "title")
    assert project.now is now
    assert project.examples_path.read_text(encoding="utf-8") == saved


def test_fields_of_a_list_of_records_are_renamed_and_dropped(tmp_path: Path) -> None:
    def film(number: int) -> StudioPage:
        cast = "".join(
            f"<tr><td><a href=/p/{n}>Actor {number}{n}</a></td><td>Role {n}{number}</td></tr>"
            for n in range(3 + number % 2)
        )
        html = f"<h1>Film {number}</h1><p class=year>Made in <b>{1990 + number}</b></p><h2>Cast</h2><table><tr><th>Who</th><th>As</th></tr>{cast}</table>"
        return StudioPage(f"{number}.html", Page(f"<html><body>{html}</body></html>"))

    project = Project(map(film, range(4)), tmp_path / "examples.json", tmp_path / "wrapper.json")
    project.learn()
    project.correct(rename, "cast.who", "cast.actor")
    project.correct(drop, "cast.as")
    assert project.now.items(1)[0]["cast"][3] == {"actor": "Actor 13"}
    place = next(at for at in project.extractions[1].places if at.value == "Actor 12")
    project.correct(set_value, 1, "person", "Actor 12", place.start)
    assert [r["person"] for r in project.now.items(2)[0]["cast"]] == [
        "Actor 20",
        "Actor 21",
        "Actor 22",
    ]


def test_a_part_of_a_text_can_be_a_field(tmp_path: Path) -> None:
    years = ("1987", "2004", "1999", "2011")
    pages = [
        StudioPage(year, Page(f"<h1>A book</h1><p>Printed in {year} by us</p>")) for year in years
    ]
    project = Project(pages, tmp_path / "examples.json", tmp_path / "wrapper.json")
    project.learn()
    project.correct(set_value, 0, "year", "1987", pages[0].page.html.index("Printed"))
    assert [extraction.records[0]["year"] for extraction in project.extractions] == list(years)


def test_a_list_of_records_is_corrected_record_by_record(tmp_path: Path) -> None:
    def listing(names: str) -> Page:
        items = "".join(
            f"<li class=hit><a href='/{name}'>{name}</a> <i>{len(name)}.00</i></li>"
            for name in names.split()
        )
        return Page(f"<html><body><h1>Hits</h1><ul>{items}</ul></body></html>")

    words = ("Ink Quill Nib Paper Desk", "Lamp Blotter Chalk Slate Ruler Compass")
    pages = [StudioPage(str(number), listing(names)) for number, names in enumerate(words)]
    project = Project(pages, tmp_path / "examples.json", tmp_path / "wrapper.json")
    project.learn()
    assert [len(extraction.records) for extraction in project.extractions] == [5, 6]
    project.correct(set_value, 0, "product", "Quill", pages[0].page.html.index(">Quill") + 1)
    assert [r["product"] for r in project.extractions[1].records] == words[1].split()


def test_fields_are_renamed_dropped_and_brought_back(project: Project) -> None:
    project.correct(set_value, 0, "code", "a897", place(project, "a897"))
    project.correct(rename, "code", "sku")
    assert "sku" in project.fields()
    assert "code" not in project.fields()
    project.correct(drop, "sku")
    assert "sku" not in project.fields()
    project.undo()
    assert "sku" in project.fields()
    project.undo()
    project.undo()
    assert project.examples == {}
    with pytest.raises(Refused, match="nothing to undo"):
        project.undo()
    for _ in range(3):
        project.redo()
    assert "sku" not in project.fields()
    with pytest.raises(Refused, match="nothing to redo"):
        project.redo()


def test_what_cannot_be_learned_changes_nothing(project: Project) -> None:
    before = project.fields()
    with pytest.raises(Exception, match="no such words here"):
        project.correct(set_value, 0, "title", "no such words here", 0)
    assert project.fields() == before
    assert project.examples == {}
    assert not project.can_undo


def test_what_cannot_be_saved_changes_nothing(project: Project) -> None:
    before = project.now
    project.examples_path.mkdir()
    with pytest.raises(OSError, match=r"examples\.json"):
        project.correct(rename, "title", "name")
    assert project.now is before
    assert not project.can_undo


def test_where_nothing_can_be_saved_the_studio_does_not_open(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "a.html").write_text(book_html(*BOOKS[0]))
    there = str(tmp_path / "nowhere/wrapper.json")
    assert main(["studio", str(tmp_path / "a.html"), "--no-browser", "-o", there]) == 2
    assert f"cannot write {there}: no folder" in capsys.readouterr().err


def test_the_saved_examples_give_the_same_wrapper(project: Project, tmp_path: Path) -> None:
    project.correct(set_value, 0, "sku", "a897", place(project, "a897"))
    for named in project.pages:
        (tmp_path / named.name).write_text(named.page.html, encoding="utf-8")
    pages = [str(tmp_path / named.name) for named in project.pages]
    output = tmp_path / "learned.json"
    assert main(["learn", *pages, "--examples", str(project.examples_path), "-o", str(output)]) == 0
    assert output.read_text() == project.wrapper_path.read_text()


def test_pages_are_kept_beside_the_wrapper(project: Project) -> None:
    assert not project.is_saved
    project.save()
    assert project.is_saved
    kept = read_sample(sample_path(project.wrapper_path))
    assert [page.html for page in kept] == [named.page.html for named in project.pages]


@pytest.fixture
def studio(project: Project) -> Iterator[Studio]:
    with Studio(of_project(project, "books", lambda: None)) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield server
        server.shutdown()


def ask(
    studio: Studio, method: str, path: str, body: str | None = None, **headers: str
) -> tuple[int, str]:
    connection = http.client.HTTPConnection("127.0.0.1", studio.port, timeout=20)
    named = {key.replace("_", "-"): value for key, value in headers.items()}
    connection.request(method, path, body, named)
    response = connection.getresponse()
    return response.status, response.read().decode()


def test_strangers_are_refused(studio: Studio) -> None:
    origin = f"http://{studio.host}"
    token = studio.token
    undo = ("POST", "/api/undo", "{}")
    assert ask(studio, "GET", "/")[0] == 403
    assert ask(studio, "GET", "/?token=wrong")[0] == 403
    assert ask(studio, "GET", f"/?token={token}", Host="evil.example")[0] == 403
    assert ask(studio, "GET", "/api/state")[0] == 403
    assert ask(studio, "GET", f"/?token={token}")[0] == 200
    assert ask(studio, *undo, X_Token=token)[0] == 403
    assert ask(studio, *undo, X_Token=token, Origin="http://evil.example")[0] == 403
    assert ask(studio, *undo, X_Token="wrong", Origin=origin)[0] == 403
    assert ask(studio, *undo, X_Token=token, Origin=origin)[0] == 422
    local = f"localhost:{studio.port}"
    assert ask(studio, *undo, X_Token=token, Origin=f"http://{local}", Host=local)[0] == 422
    assert ask(studio, *undo, X_Token=token, Origin=origin, Host=local)[0] == 403
    assert studio.socket.getsockname()[0] == "127.0.0.1"


def test_every_answer_says_what_browsers_may_do(studio: Studio) -> None:
    token = {"X-Token": studio.token}
    for path, headers in (("/", {}), ("/studio.js", {}), ("/nothing", {}), ("/api/state", token)):
        connection = http.client.HTTPConnection("127.0.0.1", studio.port, timeout=20)
        connection.request("GET", path, headers=headers)
        given = connection.getresponse().headers
        assert given["Content-Security-Policy"].startswith("default-src 'none'")
        assert given["X-Content-Type-Options"] == "nosniff"
        assert "Server" not in given


def test_bodies_are_bounded(studio: Studio) -> None:
    headers = {"X_Token": studio.token, "Origin": f"http://{studio.host}"}
    body = json.dumps({"field": "x" * LARGEST_REQUEST})
    status, text = ask(studio, "POST", "/api/rename", body, **headers)
    assert (status, json.loads(text)["error"]) == (422, "the request is too large")


def test_without_its_server_the_studio_names_the_extra(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text(book_html(*BOOKS[0]))
    code = (
        "import sys; sys.modules['starlette'] = None; from scrapy_wrapinduce.cli import main; "
        "sys.exit(main(['studio', 'a.html', '--no-browser']))"
    )
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 2
    assert 'pip install "scrapy-wrapinduce[studio]"' in done.stderr


def test_no_link_leads_out_of_the_folder(tmp_path: Path) -> None:
    (tmp_path / "pages").mkdir()
    (tmp_path / "pages/a.html").write_text(book_html(*BOOKS[0]))
    (tmp_path / "secret.html").write_text(book_html(*BOOKS[1]))
    (tmp_path / "pages/b.html").symlink_to("../secret.html")
    (tmp_path / "pages/c.html").symlink_to("a.html")
    said: list[str] = []
    read = [named.name for named in read_pages([str(tmp_path / "pages")], said.append, True)]
    assert [Path(name).name for name in read] == ["a.html", "c.html"]
    assert said == [f"skipped {tmp_path}/pages/b.html: cannot be read (a link out of the folder)"]


def test_ctrl_c_stops_the_studio(tmp_path: Path) -> None:
    # Tests run in the background may be told to ignore it, and so would the studio.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    (tmp_path / "a.html").write_text(book_html(*BOOKS[0]))
    with subprocess.Popen(
        [sys.executable, "-m", "scrapy_wrapinduce", "studio", "a.html", "--no-browser"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stderr=subprocess.PIPE,
        text=True,
    ) as server:
        assert server.stderr is not None
        address = server.stderr.readline().split("open ")[1].split(" ")[0]
        with urlopen(address, timeout=60) as page:
            assert page.status == 200
        server.send_signal(signal.SIGINT)
        assert "Traceback" not in server.stderr.read()
        assert server.wait(20) == 130


@pytest.mark.parametrize(
    "path",
    ["/../project.py", "/assets/studio.html", "//etc/passwd", "/%2e%2e/server.py", "/studio.js/.."],
)
def test_no_other_file_is_served(studio: Studio, path: str) -> None:
    assert ask(studio, "GET", path, X_Token=studio.token)[0] in (403, 404)


@pytest.mark.parametrize(
    "body",
    ["", "[]", "{", '{"page": -1}', '{"page": 99, "field": "a", "value": "b"}', '{"page": 0}',
     '{"page": 0, "field": 1, "value": []}', '{"page": 0, "field": "", "value": ""}',
     '{"page": 0, "field": "a", "value": "b", "at": []}'],
)  # fmt: skip
def test_nonsense_is_answered_with_a_sentence(studio: Studio, body: str) -> None:
    headers = {"X_Token": studio.token, "Origin": f"http://{studio.host}"}
    status, text = ask(studio, "POST", "/api/value", body, **headers)
    assert status == 422
    assert json.loads(text)["error"]


@pytest.mark.parametrize("form", ["parsel", "page-object", "json"])
def test_selectors_are_taken_away(project: Project, form: str) -> None:
    template = of_project(project, "My books!", lambda: None).template("My books!")
    given = template.takeaway.file(template, project.now, form, "")
    assert given["words"][0].endswith("values equal (100.0%) to what the wrapper reads.")
    assert (given["name"], given["file"].split(".")[1]) == (
        "my_books",
        "json" if form == "json" else "py",
    )
    if form != "json":
        compile(given["text"], given["file"], "exec")
    with pytest.raises(Refused, match="parsel, page-object, json"):
        template.takeaway.file(template, project.now, "pickle", "")


def test_the_state_names_fields_and_pages(project: Project) -> None:
    shown = state(of_project(project, "books", lambda: None), "books")
    assert len(shown["pages"]) == len(BOOKS)
    assert json.dumps(shown)


# In a real browser


@pytest.fixture
def browser(tmp_path: Path) -> Iterator[Any]:
    with open_browser(tmp_path) as chrome:
        yield chrome


SETTINGS = 'SPIDER_MODULES = ["shop.spiders"]\n'


def test_a_newcomers_path_to_a_spider(browser: Any, tmp_path: Path) -> None:
    """From a folder of pages to a named, corrected wrapper and an exported spider that runs in a project."""
    (tmp_path / "pages").mkdir()
    for number, book in enumerate(BOOKS):
        (tmp_path / "pages" / f"{number}.html").write_text(book_html(*book), encoding="utf-8")
    with studio_of(tmp_path, "pages") as address:
        browser.get(address)
        settled(browser)
        click_on_page(browser, "td span[data-wi-start]")
        assert browser.find_element("id", "value").get_attribute("value") == "a897"
        field = browser.find_element("id", "field")
        field.clear()
        field.send_keys("stock_number\n")
        settled(browser, "saved")
        cells = [cell.text for cell in browser.find_elements("css selector", "#items td")]
        assert all(sku in cells for _, _, sku in BOOKS)
        browser.find_element("css selector", "[aria-label='Rename stock_number']").click()
        name = browser.find_element("css selector", "[aria-label='New name of stock_number']")
        name.clear()
        name.send_keys("sku\n")
        wait(browser, "!!document.querySelector(\"[aria-label='Drop sku']\")")
        browser.find_element("id", "undo").click()
        wait(browser, "!!document.querySelector(\"[aria-label='Drop stock_number']\")")
        browser.find_element("id", "take").click()
        wait(browser, "document.getElementById('run').textContent.includes('runspider')")
        assert "class PagesSpider(scrapy.Spider)" in browser.find_element("id", "export-text").text
        assert browser.find_element("id", "download").get_attribute("download") == "pages.py"
    spiders = tmp_path / "shop/spiders"
    spiders.mkdir(parents=True)
    (spiders / "__init__.py").write_text("")
    (tmp_path / "shop/__init__.py").write_text("")
    (tmp_path / "shop/settings.py").write_text(SETTINGS)
    (tmp_path / "scrapy.cfg").write_text("[settings]\ndefault = shop.settings\n")
    command = [sys.executable, "-m"]
    for arguments in (
        [*command, "scrapy_wrapinduce", "export", "wrapper.json", "-o",
         "shop/spiders/books.py", "--name", "books"],
        [*command, "scrapy", "crawl", "books", "-O", "items.jsonl"],
    ):  # fmt: skip
        environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONUTF8": "1"}
        subprocess.run(arguments, cwd=tmp_path, env=environment, check=True, capture_output=True)
    items = [json.loads(line) for line in (tmp_path / "items.jsonl").read_text().splitlines()]
    assert {item["stock_number"] for item in items} == {sku for _, _, sku in BOOKS}


HOSTILE = """<script>parent.document.title='owned'; fetch('{base}/script')</script>
<img src="{base}/img" onerror="parent.document.title='owned'"><iframe src="{base}/frame"></iframe>
<a href="javascript:parent.document.title='owned'" id=bait>bait</a><style>@import "{base}/import"</style>
<svg onload="parent.document.title='owned'"></svg><meta http-equiv=refresh content="0;url={base}/refresh">
<form action="{base}/form"><button id=send>send</button></form><p style="background:url({base}/style)">p</p>"""


def test_a_hostile_page_does_nothing(browser: Any, tmp_path: Path) -> None:
    asked: list[str] = []

    class Recorder(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked.append(self.path)
            self.send_response(204)
            self.end_headers()

        def log_message(self, *_: object) -> None:
            pass

    recorder = HTTPServer(("127.0.0.1", 0), Recorder)
    threading.Thread(target=recorder.serve_forever, daemon=True).start()
    evil = HOSTILE.format(base=f"http://127.0.0.1:{recorder.server_port}")
    pages = [
        StudioPage(f"<img src=x onerror=alert(1)>{number}", Page(book_html(*book, evil)))
        for number, book in enumerate(BOOKS)
    ]
    project = Project(pages, tmp_path / "examples.json", tmp_path / "wrapper.json")
    project.learn()
    with Studio(of_project(project, "books", lambda: None)) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        browser.get(server.address)
        wait(browser, "document.getElementById('view').dataset.shown === '0'")
        click_on_page(browser, "#bait span")
        click_on_page(browser, "#send")
        value = browser.find_element("id", "value").get_attribute("value")
        browser.execute_async_script("setTimeout(arguments[0], 500)")
        assert browser.title == "wrapinduce studio"
        assert value in ("bait", "send")
        server.shutdown()
    recorder.shutdown()
    recorder.server_close()
    assert asked == []
