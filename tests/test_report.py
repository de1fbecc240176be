"""Reports: what they show, and that hostile pages do nothing in them."""

from __future__ import annotations

import re
import shutil
import subprocess
import threading
from html import unescape
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import html as lxml_html

from scrapy_wrapinduce import Page, induce
from scrapy_wrapinduce.report import ReportPage, build_report
from scrapy_wrapinduce.report.highlight import View, rendered, source
from scrapy_wrapinduce.wrapper import Place

TITLES = ("Ink & Paper", "The Quill", "A Nib", "Blotters")


def product(title: str, more: str = "") -> Page:
    shown = title.replace("&", "&amp;")
    return Page(
        f"<html><body><h1>{shown}</h1><p>Price: <b>{len(title)}.00</b></p>{more}</body></html>"
    )


PAGES = [product(title) for title in TITLES]
EXAMPLES = [{"title": title, "price": f"{len(title)}.00"} for title in TITLES]


def report(pages: list[Page]) -> str:
    wrapper = induce(PAGES, examples=EXAMPLES)
    named = [ReportPage(f"page-{number}.html", page) for number, page in enumerate(pages)]
    return build_report(wrapper, named, "books")


def test_it_shows_fields_pages_items_and_the_tree() -> None:
    document = lxml_html.fromstring(report(PAGES))
    assert document.xpath('//section[@id="t0-fields"]//th[@scope="row"]/span/text()') == [
        "title",
        "price",
    ]
    assert len(document.xpath('//section[@id="t0-items"]//tbody/tr')) == len(PAGES)
    assert document.xpath('//section[@id="t0-structure"]//span[@class="chip"]/text()')
    frame = document.xpath("//iframe")[0]
    assert frame.get("sandbox") == ""
    assert 'data-wi-field="title">Ink &amp; Paper</mark>' in frame.get("srcdoc")


def test_places_are_marked_in_the_source() -> None:
    page = Page("<p>Price: 3</p>")
    marked = source(page, [Place(0, "price", "3", 10, 11)], View({"price": 7}))
    assert marked == (
        '&lt;p&gt;Price: <mark class="wi" style="--hue:7" data-wi-field="price">3</mark>&lt;/p&gt;'
    )


def test_an_attribute_marks_its_element() -> None:
    page = Page('<a href="/x">more</a>')
    shown = rendered(page, [Place(0, "link", "/x", 9, 11)], View({"link": 7}))
    assert "wi-attribute" in shown
    assert "href" not in shown


@given(
    st.text(max_size=80), st.lists(st.tuples(st.integers(0, 90), st.integers(0, 90)), max_size=4)
)
def test_any_page_leaves_the_source_as_it_is(text: str, spans: list[tuple[int, int]]) -> None:
    page = Page(f"<p>{text}</p>")
    places = [Place(0, "f", "v", start, start + length) for start, length in spans]
    rendered(page, places, View({}))
    assert unescape(re.sub(r"<[^>]*>", "", source(page, places, View({})))) == unescape(
        page.html.replace("&", "&amp;")
    )


HOSTILE = """
<script>fetch('{base}/script')</script><img src="{base}/img" onerror="fetch('{base}/onerror')">
<img src=x onerror=alert(1)><iframe src="{base}/frame"></iframe><link rel=stylesheet href="{base}/css">
<style>@import "{base}/import"; body {{ background: url({base}/background) }}</style>
<meta http-equiv=refresh content="0;url={base}/refresh"><base href="{base}/base/"><svg onload="fetch('{base}/svg')"></svg>
<div style="background:url({base}/style)">x</div></iframe>"><script>fetch('{base}/breakout')</script>
<object data="{base}/object"></object><video poster="{base}/poster" autoplay></video><p title='"><script src={base}/t></script>'>q
</textarea></title></pre></style></template></details></section><script>fetch('{base}/end')</script>
"""


def test_a_hostile_page_runs_and_fetches_nothing(tmp_path: Path) -> None:
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    if chromium is None:
        pytest.skip("no Chromium here: hostile pages were not tried in a browser")
    asked: list[str] = []

    class Recorder(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked.append(self.path)
            self.send_response(204)
            self.end_headers()

        def log_message(self, *_: object) -> None:
            pass

    server = HTTPServer(("127.0.0.1", 0), Recorder)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    base = f"http://127.0.0.1:{server.server_port}"
    evil = HOSTILE.format(base=base)
    path = tmp_path / "report.html"
    control = f"<img src='{base}/control'>"
    path.write_text(report([product(evil, evil), *PAGES]), encoding="utf-8")
    (tmp_path / "control.html").write_text(control, encoding="utf-8")
    try:
        for file in (path, tmp_path / "control.html"):
            subprocess.run(
                [chromium, "--headless", "--no-sandbox", "--disable-gpu", "--virtual-time-budget=2000",
                 f"--user-data-dir={tmp_path / 'profile'}", "--window-size=1200,4000",
                 f"--screenshot={tmp_path / 'shot.png'}", file.as_uri()],
                capture_output=True, timeout=60, check=False,
            )  # fmt: skip
    finally:
        server.shutdown()
        server.server_close()
    assert asked == ["/control"]


def test_the_command_writes_one_file(tmp_path: Path) -> None:
    induce(PAGES, examples=EXAMPLES).save(tmp_path / "books.json")
    for number, page in enumerate(PAGES):
        (tmp_path / f"{number}.html").write_text(page.html, encoding="utf-8")
    from scrapy_wrapinduce.cli import main

    pages = [str(tmp_path / f"{number}.html") for number in range(len(PAGES))]
    output = tmp_path / "report.html"
    assert main(["report", str(tmp_path / "books.json"), *pages, "-o", str(output)]) == 0
    text = output.read_text(encoding="utf-8")
    assert "http://" not in text
    assert "<script" not in text
