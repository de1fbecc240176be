"""What the command line reads and writes: pages from everywhere, examples, schemas, items."""

from __future__ import annotations

import csv
import gzip
import io
import json
import os
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapy_wrapinduce.cli import console, items, pages
from scrapy_wrapinduce.cli.inputs import InvalidInput, match_examples, read_examples, read_schema
from scrapy_wrapinduce.cli.pages import UnreadablePages, count_pages, read_pages

HTML = b"<html><p>Caf\xc3\xa9</p></html>"


class Heard(list[str]):
    """The lines that were said."""

    def __call__(self, line: str) -> None:
        self.append(line)


def names(*paths: Path, said: Heard | None = None) -> list[str]:
    heard = Heard() if said is None else said
    return [Path(page.name).name for page in read_pages([str(path) for path in paths], heard)]


def write(folder: Path, *files: str) -> Path:
    for name in files:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(HTML)
    return folder


def test_a_folder_is_read_in_the_order_of_names(tmp_path: Path) -> None:
    write(
        tmp_path, "b/2.html", "b/10.html", "a.htm", "c", "page.php", ".hidden.html", ".git/x.html"
    )
    assert names(tmp_path) == ["a.htm", "c", "page.php", "10.html", "2.html"]
    assert count_pages([str(tmp_path)]) == 5


def test_what_is_not_html_is_skipped_with_a_line(tmp_path: Path) -> None:
    write(tmp_path, "a.html", "truth.json", "photo.jpg")
    (tmp_path / "binary").write_bytes(b"\x7fELF\0\0<p>")
    (tmp_path / "empty.html").write_bytes(b" \n")
    (tmp_path / "notes").write_text("no tags here")
    (tmp_path / "broken.html.gz").write_bytes(b"\x1f\x8b not really")
    said = Heard()
    assert names(tmp_path, said=said) == ["a.html"]
    assert [line.removeprefix(f"skipped {tmp_path}/") for line in said] == [
        "binary: not HTML (binary)",
        "broken.html.gz: cannot be read (Unknown compression method)",
        "empty.html: empty",
        "notes: not HTML (no tags)",
        "photo.jpg: not HTML (image/jpeg)",
        "truth.json: not HTML (application/json)",
    ]


def test_a_file_that_is_named_is_taken_whatever_its_suffix(tmp_path: Path) -> None:
    write(tmp_path, "page.txt")
    assert names(tmp_path / "page.txt") == ["page.txt"]


def archive_members() -> dict[str, bytes]:
    return {"site/b.html": HTML, "site/a.html": HTML, "site/x.css": b"p {}", "site/.x.html": HTML}


def test_archives(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "site.zip", "w") as archive:
        for name, body in archive_members().items():
            archive.writestr(name, body)
    assert names(tmp_path / "site.zip") == ["a.html", "b.html"]
    for suffix in ("tar", "tar.gz", "tgz", "tar.xz", "tar.bz2"):
        mode = {"tar": "w", "tgz": "w:gz"}.get(suffix, f"w:{suffix[4:]}")
        path = tmp_path / f"site.{suffix}"
        with tarfile.open(path, mode) as tar:  # type: ignore[call-overload]
            for name, body in archive_members().items():
                member = tarfile.TarInfo(name)
                member.size = len(body)
                tar.addfile(member, io.BytesIO(body))
        assert names(path) == ["b.html", "a.html"]
        assert count_pages([str(path)]) is None


def test_a_compressed_page(tmp_path: Path) -> None:
    path = tmp_path / "page.html.gz"
    path.write_bytes(gzip.compress(HTML))
    (page,) = read_pages([str(path)], Heard())
    assert page.page.html == HTML.decode()
    assert page.page.url == str(path)


def warc_record(kind: str, url: str, content: bytes) -> bytes:
    head = (
        f"WARC/1.0\r\nWARC-Type: {kind}\r\nWARC-Target-URI: {url}\r\nContent-Length: {len(content)}"
    )
    return head.encode() + b"\r\n\r\n" + content + b"\r\n\r\n"


def http(body: bytes, *headers: str, status: str = "200 OK") -> bytes:
    lines = "\r\n".join([f"HTTP/1.1 {status}", *headers])
    return lines.encode() + b"\r\n\r\n" + body


def test_a_web_archive(tmp_path: Path) -> None:
    html = "Content-Type: text/html; charset=latin-1"
    chunked = b"3\r\n<p>\r\n4\r\nx</p\r\n1\r\n>\r\n0\r\n\r\n"
    records = [
        warc_record("warcinfo", "", b"software: x"),
        warc_record("request", "https://shop.example/1", b"GET / HTTP/1.1\r\n\r\n"),
        warc_record("response", "https://shop.example/1", http(b"<p>caf\xe9", html)),
        warc_record(
            "response", "https://shop.example/2", http(chunked, html, "Transfer-Encoding: chunked")
        ),
        warc_record(
            "response",
            "https://shop.example/3",
            http(gzip.compress(b"<p>z"), html, "Content-Encoding: gzip"),
        ),
        warc_record(
            "response", "https://shop.example/a.png", http(b"\0", "Content-Type: image/png")
        ),
        warc_record(
            "response", "https://shop.example/no", http(b"<p>no", html, status="404 Not Found")
        ),
        warc_record("response", "https://shop.example/broken", b"\xff\xfe"),
        warc_record(
            "response",
            "https://shop.example/4",
            http(b"<p>unchunked", html, "Transfer-Encoding: chunked"),
        ),
    ]
    for path, body in (
        ("x.warc", b"".join(records)),
        ("x.warc.gz", b"".join(map(gzip.compress, records))),
    ):
        (tmp_path / path).write_bytes(body)
        said = Heard()
        found = {page.page.url: page.page.html for page in read_pages([str(tmp_path / path)], said)}
        assert found == {
            "https://shop.example/1": "<p>café",
            "https://shop.example/2": "<p>x</p>",
            "https://shop.example/3": "<p>z",
        }
        assert said == ["skipped https://shop.example/4: empty"]


@pytest.mark.parametrize(
    ("name", "body", "reason"),
    [
        ("none", None, "no such file or folder"),
        ("x.zip", b"PK no", "cannot be read (File is not a zip file)"),
        ("x.tar.gz", b"no", "cannot be read"),
        ("x.warc", b"no", "not a web archive"),
        ("x.warc", b"WARC/1.0\r\nContent-Length: -5\r\n\r\n", "a record's length is '-5'"),
        (
            "x.warc",
            warc_record("warcinfo", "", b"x" * 99)[:-50],
            "cut off in the middle of a record",
        ),
        ("x.html.gz", b"no", "cannot be read (Not a gzipped file"),
        ("x.html", b"", "no HTML pages in"),
        ("x.html", b"\0\1", "no HTML pages in"),
    ],
)
def test_what_cannot_be_read_at_all_is_an_error(
    name: str, body: bytes | None, reason: str, tmp_path: Path
) -> None:
    path = tmp_path / name
    if body is not None:
        path.write_bytes(body)
    with pytest.raises(UnreadablePages) as caught:
        list(read_pages([str(path)], Heard()))
    assert reason in str(caught.value)
    assert str(path) in str(caught.value)


def test_a_folder_without_pages_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(UnreadablePages, match="no HTML pages"):
        list(read_pages([str(tmp_path)], Heard()))


def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    write(tmp_path, "a.html")
    os.mkfifo(tmp_path / "pipe.html")
    said = Heard()
    assert names(tmp_path, said=said) == ["a.html"]
    assert "not a regular file" in said[0]


def test_pages_are_limited_in_size(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pages, "LARGEST_PAGE", 1 << 20)
    (tmp_path / "bomb.html.gz").write_bytes(gzip.compress(b"<p>" * (1 << 20)))
    write(tmp_path, "a.html")
    said = Heard()
    assert names(tmp_path, said=said) == ["a.html"]
    assert said[0].endswith("bomb.html.gz: larger than 1 MB")


def test_names_that_are_no_text_can_still_be_written(tmp_path: Path) -> None:
    folder = os.fsencode(tmp_path)
    with open(folder + b"/caf\xe9.html", "wb") as file:
        file.write(HTML)
    (page,) = read_pages([str(tmp_path)], Heard())
    assert page.name.endswith("caf\ufffd.html")
    assert (page.page.url or "").encode("utf-8")


# Examples and schemas


def test_examples_go_to_the_pages_they_name() -> None:
    listed = ["in/a.html", "in/b.html", "in/sub/a.html", "https://shop.example/p/1"]
    examples = {
        "b": {"title": "B"},
        "sub/a.html": [{"title": "A"}],
        "https://shop.example/p/1": {"title": "P"},
        "other.html": {"title": "O"},
    }
    matched, missing = match_examples(examples, listed)
    assert matched == [None, {"title": "B"}, [{"title": "A"}], {"title": "P"}]
    assert missing == ["other.html"]
    with pytest.raises(InvalidInput, match=r"'a.html' could be for in/a.html and in/sub/a.html"):
        match_examples({"a.html": {}}, listed)


@pytest.mark.parametrize(
    ("name", "text", "reason"),
    [
        ("e.json", "{", "not valid JSON"),
        ("e.json", "5", "must map the names of pages"),
        ("e.json", "[null, 5]", "page 2 is not a record"),
        ("e.json", '{"a": 5}', "page 'a' is not a record"),
        ("e.json", '{"a": [{}, 5]}', "page 'a' is not a record"),
        ("e.json", "\xff", "not UTF-8"),
        ("e.yaml", "a: [", "not valid YAML"),
    ],
)
def test_broken_examples_are_refused_with_a_reason(
    name: str, text: str, reason: str, tmp_path: Path
) -> None:
    if name.endswith("yaml"):
        pytest.importorskip("yaml")
    path = tmp_path / name
    path.write_bytes(text.encode("latin-1"))
    with pytest.raises(InvalidInput) as caught:
        read_examples(str(path))
    assert reason in str(caught.value)
    assert str(path) in str(caught.value)
    assert "\n" not in str(caught.value)


def test_examples_in_yaml(tmp_path: Path) -> None:
    pytest.importorskip("yaml")
    path = tmp_path / "e.yml"
    path.write_text("a.html:\n  title: Ink\n", encoding="utf-8")
    assert read_examples(str(path)).examples == {"a.html": {"title": "Ink"}}


def test_yaml_without_its_package_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "yaml", None)
    path = tmp_path / "e.yml"
    path.write_text("{}", encoding="utf-8")
    with pytest.raises(InvalidInput, match="needs the package PyYAML"):
        read_examples(str(path))


def test_a_schema_is_names_a_file_or_a_class(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "my_items_for_schema.py").write_text(
        "class Book:\n    title: str\n", encoding="utf-8"
    )
    Path("list.json").write_text('["title", "price"]', encoding="utf-8")
    Path("schema.json").write_text(json.dumps({"properties": {"title": {}, "price": {}}}), "utf-8")
    Path("names.txt").write_text("title\nprice\n", encoding="utf-8")
    for text in ("title, price", "list.json", "schema.json", "names.txt"):
        assert read_schema(text) == ["title", "price"]
    assert read_schema("title") == ["title"]
    assert read_schema("my_items_for_schema:Book").__name__ == "Book"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("title,,price", "a field name is empty"),
        ("no_such_module:Book", "No module named 'no_such_module'"),
        ("json:Nothing", "has no attribute 'Nothing'"),
        ("json:loads", "loads is not a class"),
    ],
)
def test_a_wrong_schema_is_refused_with_a_reason(text: str, reason: str) -> None:
    with pytest.raises(InvalidInput, match=reason):
        read_schema(text)


def test_a_missing_schema_file_is_missing() -> None:
    with pytest.raises(FileNotFoundError):
        read_schema("no/such/file.json")


# Items

ITEMS = [{"title": "Ink", "tags": ["blue", "5 ml"]}, {"price": "5 €", "title": 'a "b",\nc'}]


def test_items_as_lines_json_and_csv() -> None:
    lines, array, table = io.StringIO(), io.StringIO(), io.StringIO(newline="")
    items.write_json_lines(ITEMS, lines)
    items.write_json(ITEMS, array)
    items.write_csv(ITEMS, table)
    assert [json.loads(line) for line in lines.getvalue().splitlines()] == ITEMS
    assert json.loads(array.getvalue()) == ITEMS
    assert list(csv.reader(io.StringIO(table.getvalue(), newline=""))) == [
        ["title", "tags", "price"],
        ["Ink", '["blue", "5 ml"]', ""],
        ['a "b",\nc', "", "5 €"],
    ]


def test_no_items_are_still_valid_files() -> None:
    array, table = io.StringIO(), io.StringIO()
    items.write_json([], array)
    items.write_csv([], table)
    assert (json.loads(array.getvalue()), table.getvalue()) == ([], "")


@given(st.lists(st.dictionaries(st.text(), st.text() | st.lists(st.text())), max_size=4))
def test_json_gives_back_what_was_written(records: list[dict[str, object]]) -> None:
    file = io.StringIO()
    items.write_json(records, file)
    assert json.loads(file.getvalue()) == records


def test_an_unknown_suffix_is_refused() -> None:
    with pytest.raises(items.UnknownSuffix, match=r"items.xlsx: its suffix must be one of .jsonl"):
        items.writer_for("items.xlsx")


# What is said on stderr


class Terminal(io.StringIO):
    encoding = "ascii"

    def isatty(self) -> bool:
        return True


def test_progress_is_for_terminals_only(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(console, "SECONDS_BETWEEN_UPDATES", 0)
    for stream, expected in ((Terminal(), "2/2 pages"), (io.StringIO(), "")):
        monkeypatch.setattr(sys, "stderr", stream)
        assert list(console.Console("x").track("ab", "pages", 2)) == ["a", "b"]
        assert expected in stream.getvalue()
        assert stream.getvalue().endswith("\r" if expected else "")


def test_lines_do_not_depend_on_what_the_terminal_can_show(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = Terminal()
    monkeypatch.setattr(sys, "stderr", stream)
    console.Console("x").say("café \udce9")
    assert stream.getvalue() == "x: caf\\xe9 \\udce9\n"
