"""The command line through its real scripts, ``wrapinduce`` and ``scrapy wrapinduce``."""

from __future__ import annotations

import csv
import json
import os
import re
import signal
import subprocess
import sys
import tarfile
import time
from pathlib import Path

import pytest

from sample_project.shop_site import Site

BIN = Path(sys.executable).parent
SHARED = Path(__file__).parents[2] / "shared/data"
SCRIPTS = {
    "wrapinduce": [str(BIN / "wrapinduce")],
    "scrapy wrapinduce": [str(BIN / "scrapy"), "wrapinduce"],
}


def run(
    *arguments: str | Path, script: str = "wrapinduce", cwd: Path | None = None
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*SCRIPTS[script], *map(str, arguments)],
        cwd=cwd,
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=120,
        check=False,
    )


def only_line(done: subprocess.CompletedProcess[str]) -> str:
    """The one line a failed command leaves, and nothing on stdout."""
    assert done.returncode == 2, done
    assert done.stdout == ""
    (line,) = done.stderr.splitlines()
    return line


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Product pages of the sample site: twenty to learn from, ten to read."""
    site, folder = Site(), tmp_path_factory.mktemp("shop")
    paths = [path for path, page in site.truth.items() if page.kind == "product" and page.conforms]
    for part, chosen in (("train", paths[:20]), ("test", paths[20:30])):
        (folder / part).mkdir()
        for number, path in enumerate(chosen):
            (folder / part / f"{number:02}.html").write_text(
                site.html(path) or "", encoding="utf-8"
            )
    titles = [str(site.truth[path].fields["title"]) for path in paths[20:30]]
    (folder / "titles.json").write_text(json.dumps(titles), encoding="utf-8")
    example = {name: site.truth[paths[3]].fields[name] for name in ("title", "price")}
    (folder / "example.json").write_text(json.dumps({"03": example}), encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def wrapper(shop: Path) -> Path:
    done = run("learn", shop / "train", "-o", shop / "wrapper.json")
    assert done.returncode == 0, done.stderr
    return shop / "wrapper.json"


@pytest.mark.parametrize("script", SCRIPTS)
def test_learn_show_and_apply(script: str, shop: Path, tmp_path: Path) -> None:
    learned = run("learn", shop / "train", "-o", "w.json", script=script, cwd=tmp_path)
    assert (learned.returncode, learned.stdout) == (0, "")
    said = learned.stderr.splitlines()
    assert said[0].startswith(f"{script} learn: w.json: a landmark wrapper from 20 pages")
    assert said[1].startswith(f"{script} learn: astar, k = 15 of 20 pages: ")
    assert "proven" in said[1]
    shown = run("show", "w.json", script=script, cwd=tmp_path)
    assert (shown.returncode, shown.stderr) == (0, "")
    assert "landmark" in shown.stdout
    applied = run("apply", "w.json", shop / "test", "-o", "i.jsonl", script=script, cwd=tmp_path)
    assert applied.returncode == 0
    assert applied.stderr == f"{script} apply: i.jsonl: 10 items from 10 pages\n"
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "i.jsonl",
        "w.json",
        "w.warc.gz",
    ]
    items = [json.loads(line) for line in (tmp_path / "i.jsonl").read_text("utf-8").splitlines()]
    assert [Path(item["url"]).name for item in items] == [f"{n:02}.html" for n in range(10)]
    titles = json.loads((shop / "titles.json").read_text(encoding="utf-8"))
    assert all(title in item.values() for title, item in zip(titles, items, strict=True))


def test_which_attributes_count_can_be_said(shop: Path, tmp_path: Path) -> None:
    done = run("learn", shop / "train", "--attributes=-*,id", "-o", tmp_path / "w.json")
    assert done.returncode == 0, done.stderr
    text = (tmp_path / "w.json").read_text(encoding="utf-8")
    assert '"class~"' not in text
    assert json.loads(text)["attributes"] == ["-*", "id"]
    done = run("learn", shop / "train", "--attributes=a=b", "-o", tmp_path / "x.json")
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert "'a=b' does not say which attribute counts" in done.stderr
    assert not (tmp_path / "x.json").exists()


def test_lists_of_records_are_shown_in_their_place(tmp_path: Path) -> None:
    names = ("Ann Reed", "Bo Li", "Cy Dunn", "Di Eames", "Ed Ford", "Flo Gray", "Gil Hart")
    for number in range(8):
        rows = "".join(
            f"<li><b>{names[(number + row) % 7]}</b> <i>{number * row} points</i></li>"
            for row in range(2 + number % 3)
        )
        html = f"<h1>Game {number * 7}</h1><h2>Players</h2><ul class=players>{rows}</ul><p>End</p>"
        (tmp_path / f"{number}.html").write_text(html)
    assert run("learn", ".", "-o", "w.json", cwd=tmp_path).returncode == 0
    shown = run("show", "w.json", cwd=tmp_path).stdout
    assert re.search(r"^players +100%  ", shown, re.MULTILINE), shown
    assert "● players (a list of records)" in shown


def test_the_tree_and_the_grammar_can_be_shown(wrapper: Path) -> None:
    shown = run("show", wrapper, "--tree", "--grammar")
    assert shown.returncode == 0
    assert "△" in shown.stdout
    assert "\nS → A\n" in shown.stdout


def test_all_formats_hold_the_same(wrapper: Path, shop: Path, tmp_path: Path) -> None:
    for name in ("i.jsonl", "i.json", "i.csv"):
        assert run("apply", wrapper, shop / "test", "-o", tmp_path / name).returncode == 0
    lines = (tmp_path / "i.jsonl").read_text("utf-8")
    items = [json.loads(line) for line in lines.splitlines()]
    assert json.loads((tmp_path / "i.json").read_text("utf-8")) == items
    with (tmp_path / "i.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert set(rows[0]) == {name for item in items for name in item}
    for row, item in zip(rows, items, strict=True):
        assert {name: value for name, value in row.items() if value} == {
            name: value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
            for name, value in item.items()
            if value != ""
        }
    piped = run("apply", wrapper, shop / "test")
    assert piped.stdout == lines


def test_the_wrapper_can_go_to_stdout(wrapper: Path, shop: Path) -> None:
    done = run("learn", shop / "train")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == wrapper.read_text(encoding="utf-8")


def test_examples_and_schemas_choose_the_fields(shop: Path, tmp_path: Path) -> None:
    titles = json.loads((shop / "titles.json").read_text(encoding="utf-8"))
    for choice in (["--examples", str(shop / "example.json")], ["--schema", "title,price"]):
        learned = run("learn", shop / "train", *choice, "-o", tmp_path / "w.json")
        assert "2 fields: title, price\n" in learned.stderr
        done = run("apply", tmp_path / "w.json", shop / "test")
        items = [json.loads(line) for line in done.stdout.splitlines()]
        assert [item["title"] for item in items] == titles
        assert all("price" in item for item in items)


def test_a_family_for_lists_learns_from_the_records_of_a_page(tmp_path: Path) -> None:
    codes = {"Congo": "242", "Egypt": "20", "Belize": "501", "Spain": "34"}
    rows = [f"<b>{country}</b> <i>{code}</i><br>" for country, code in codes.items()]
    for number in range(3):
        page = f"<h1>Codes</h1><p>{''.join(rows[number:] + rows[:number])}</p><hr>End"
        (tmp_path / f"{number}.html").write_text(page, encoding="utf-8")
    records = [{"country": country, "code": code} for country, code in codes.items()]
    examples = tmp_path / "e.json"
    pages = [tmp_path / f"{number}.html" for number in range(3)]
    for data in ({"0.html": records}, [records, None, None]):
        examples.write_text(json.dumps(data), encoding="utf-8")
        learned = run(
            "learn", *pages, "--family", "hlrt", "--examples", examples, "-o", tmp_path / "w.json"
        )
        assert "a hlrt wrapper from 3 pages, 2 fields: country, code" in learned.stderr
        done = run("apply", tmp_path / "w.json", pages[1])
        found = [json.loads(line) for line in done.stdout.splitlines()]
        assert [{"country": item["country"], "code": item["code"]} for item in found] == [
            *records[1:],
            records[0],
        ]


def test_diff_compares_wrappers_and_what_they_read(
    wrapper: Path, shop: Path, tmp_path: Path
) -> None:
    same = run("diff", wrapper, wrapper, shop / "test")
    assert (same.returncode, same.stdout, same.stderr) == (0, "", "")
    assert run("diff", wrapper, wrapper).returncode == 0
    other = tmp_path / "other.json"
    assert run("learn", shop / "train", "--schema", "price", "-o", other).returncode == 0
    assert run("diff", wrapper, other).returncode == 1
    done = run("diff", wrapper, other, shop / "test")
    assert done.returncode == 1
    assert "price: 10 equal, 0 different" in done.stdout.splitlines()
    assert " → nothing" in done.stdout
    assert str(tmp_path / "none") in only_line(run("diff", wrapper, tmp_path / "none"))


def test_archives_and_several_paths(wrapper: Path, shop: Path, tmp_path: Path) -> None:
    with tarfile.open(tmp_path / "pages.tar.xz", "w:xz") as archive:
        archive.add(shop / "test", "test")
        archive.add(shop / "titles.json", "titles.json")
    done = run("apply", wrapper, tmp_path / "pages.tar.xz", shop / "test" / "00.html")
    assert len(done.stdout.splitlines()) == 11
    assert done.stderr.splitlines() == [
        f"wrapinduce apply: skipped {tmp_path}/pages.tar.xz/titles.json: not HTML (application/json)"
    ]


def test_a_page_of_another_kind_does_not_stop_the_others(
    wrapper: Path, shop: Path, tmp_path: Path
) -> None:
    (tmp_path / "other.html").write_text("<h1>Closed for today</h1>", encoding="utf-8")
    done = run("apply", "-v", wrapper, tmp_path, shop / "test", "-o", tmp_path / "i.csv")
    assert done.returncode == 0
    assert "other.html" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("command", ["learn", "apply"])
@pytest.mark.parametrize(
    ("name", "body", "reason"),
    [
        ("missing.html", None, "missing.html: no such file or folder"),
        ("broken.zip", b"PK\3\4", "broken.zip: cannot be read (File is not a zip file)"),
        ("broken.tar.gz", b"\x1f\x8b\x08", "broken.tar.gz: cannot be read"),
        ("empty.html", b"", "no HTML pages in"),
        ("binary.html", b"\x89PNG\r\n\x1a\n\0\0", "no HTML pages in"),
        ("folder", b"", "no HTML pages in"),
    ],
)
def test_bad_pages_get_one_line_and_leave_no_file(
    command: str, name: str, body: bytes | None, reason: str, wrapper: Path, tmp_path: Path
) -> None:
    path = tmp_path / "in" / name
    path.parent.mkdir()
    if name == "folder":
        path.mkdir()
    elif body is not None:
        path.write_bytes(body)
    first = [wrapper] if command == "apply" else []
    out = tmp_path / "out"
    out.mkdir()
    done = run(command, *first, path, "-o", out / "x.json")
    assert done.returncode == 2
    assert reason in done.stderr.splitlines()[-1]
    assert done.stdout == ""
    assert "Traceback" not in done.stderr
    assert list(out.iterdir()) == []


@pytest.mark.parametrize(
    "body", [None, b"", b"{", b"[]", b'{"format": 1, "family": "nope"}', b"\0\xff"]
)
@pytest.mark.parametrize("command", ["show", "apply"])
def test_a_bad_wrapper_gets_one_line(
    command: str, body: bytes | None, shop: Path, tmp_path: Path
) -> None:
    path = tmp_path / "w.json"
    if body is not None:
        path.write_bytes(body)
    pages = [shop / "test"] if command == "apply" else []
    assert str(path) in only_line(run(command, path, *pages))


def test_the_old_output_survives_a_failure(wrapper: Path, tmp_path: Path) -> None:
    output = tmp_path / "items.json"
    output.write_text("old", encoding="utf-8")
    only_line(run("apply", wrapper, tmp_path / "missing", "-o", output))
    assert output.read_text(encoding="utf-8") == "old"


def test_output_that_cannot_be_written_is_named(wrapper: Path, shop: Path, tmp_path: Path) -> None:
    for command in (["learn"], ["apply", wrapper]):
        line = only_line(run(*command, shop / "test", "-o", tmp_path / "no/such/folder/x.json"))
        assert "no folder" in line
    assert "suffix" in only_line(run("apply", wrapper, shop / "test", "-o", tmp_path / "x.xls"))


def test_bad_examples_and_schemas_get_one_line(shop: Path, tmp_path: Path) -> None:
    examples = tmp_path / "e.json"
    examples.write_text('{"nowhere.html": {"title": "x"}}', encoding="utf-8")
    line = only_line(run("learn", shop / "train", "--examples", examples))
    assert "none of its examples names one of the pages" in line
    examples.write_text('[{"title": "x"}]', encoding="utf-8")
    line = only_line(run("learn", shop / "train", "--examples", examples))
    assert "1 examples for 20 pages" in line
    assert "unknown family 'x'" in only_line(run("learn", shop / "train", "--family", "x"))
    assert "No such file" in only_line(run("learn", shop / "train", "--examples", tmp_path / "no"))
    assert "No module" in only_line(run("learn", shop / "train", "--schema", "no_module:X"))


def test_wrong_usage_is_explained() -> None:
    for arguments in ([], ["learn"], ["nonsense"], ["learn", "x", "--search", "nonsense"]):
        done = run(*arguments)
        assert done.returncode == 2
        assert "usage: wrapinduce" in done.stderr


@pytest.mark.parametrize("script", SCRIPTS)
def test_every_command_explains_itself(script: str) -> None:
    for command in ("learn", "apply", "show", "diff"):
        done = run(command, "-h", script=script)
        assert done.returncode == 0
        assert done.stdout.startswith(f"usage: {script} {command}")
    assert run("--version").stdout == "0.1.0\n"


def test_it_is_among_the_commands_of_scrapy_outside_and_inside_a_project(tmp_path: Path) -> None:
    project = Path(__file__).parents[1] / "sample_project"
    for folder in (tmp_path, project):
        done = subprocess.run(
            SCRIPTS["scrapy wrapinduce"][:1], cwd=folder, capture_output=True, text=True, check=True
        )
        assert "wrapinduce    Learn wrappers from pages" in done.stdout
        assert run("show", "none.json", script="scrapy wrapinduce", cwd=folder).returncode == 2


def test_a_reader_that_has_seen_enough_is_no_error(wrapper: Path, shop: Path) -> None:
    command = " ".join([*SCRIPTS["wrapinduce"], "apply", str(wrapper), *[str(shop / "test")] * 20])
    done = subprocess.run(
        f"{command} | head -n 1", shell=True, capture_output=True, text=True, check=True
    )
    assert (len(done.stdout.splitlines()), done.stderr) == (1, "")


def test_being_terminated_leaves_nothing_behind(wrapper: Path, shop: Path, tmp_path: Path) -> None:
    pages = tmp_path / "pages"
    pages.mkdir()
    for number in range(3000):
        (pages / f"{number}.html").symlink_to(shop / "test" / "00.html")
    out = tmp_path / "out"
    out.mkdir()
    process = subprocess.Popen(
        [*SCRIPTS["wrapinduce"], "apply", str(wrapper), str(pages), "-o", str(out / "i.jsonl")],
        stderr=subprocess.PIPE,
    )
    deadline = time.monotonic() + 30
    while not list(out.iterdir()) and time.monotonic() < deadline:
        time.sleep(0.01)
    process.send_signal(signal.SIGTERM)
    _, errors = process.communicate(timeout=30)
    assert process.returncode == 128 + signal.SIGTERM, errors
    assert list(out.iterdir()) == []


def test_real_pages(tmp_path: Path) -> None:
    archive = SHARED / "swde/auto-aol.tar.xz"
    if not archive.exists():
        pytest.skip(f"no real pages at {archive}")
    with tarfile.open(archive) as tar:
        tar.extractall(tmp_path, filter="data")
    wrapper = tmp_path / "wrapper.json"
    begun = time.monotonic()
    assert run("learn", tmp_path / "auto-aol/train", "-o", wrapper).returncode == 0
    done = run("apply", wrapper, tmp_path / "auto-aol/test", "-o", tmp_path / "items.csv")
    assert done.returncode == 0
    assert time.monotonic() - begun < 60
    with (tmp_path / "items.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == len(os.listdir(tmp_path / "auto-aol/test"))
    assert len(rows[0]) > 5
