"""Crawls on a disk that is really full: a small file system of its own, where this machine allows to mount one."""

from __future__ import annotations

import random
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from crawling import SPIDER, Answer, Crawl, catalogue, crawl, project, read_items, serving

PAGES = 30


class SmallDisk:
    """A file system in memory that can be made larger."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def mount(self, kilobytes: int, *options: str) -> None:
        command = [
            "mount",
            "-t",
            "tmpfs",
            "-o",
            ",".join([*options, f"size={kilobytes}k"]),
            "tmpfs",
        ]
        done = subprocess.run(
            [*command, str(self.folder)], capture_output=True, text=True, check=False
        )
        if done.returncode:
            pytest.skip(f"NOT TESTED on a full disk: {done.stderr.strip() or 'mount failed'}")

    def grow(self, kilobytes: int) -> None:
        self.mount(kilobytes, "remount")


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[SmallDisk]:
    folder = tmp_path / "small"
    folder.mkdir()
    disk = SmallDisk(folder)
    try:
        disk.mount(400)
    except FileNotFoundError:
        pytest.skip("NOT TESTED on a full disk: there is no mount command")
    yield disk
    subprocess.run(["umount", str(folder)], check=True)


def bulky() -> dict[str, Answer | str]:
    """Pages that hardly compress: about 30 kB each."""
    chance = random.Random(5)
    pages = {}
    for path, page in catalogue(PAGES).items():
        words = " ".join(chance.randbytes(8).hex() for _ in range(3000 if path != "/" else 0))
        pages[path] = str(page).replace("</body>", f"<p class=words>{words}</p></body>")
    return dict(pages)


def crawl_bulky(folder: Path, **settings: object) -> Crawl:
    with serving(bulky()) as site:
        project(folder, SPIDER.format(url=site.url))
        return crawl(folder, **settings)


def test_pages_that_cannot_wait_are_counted_and_the_others_are_read(
    disk: SmallDisk, tmp_path: Path
) -> None:
    done = crawl_bulky(tmp_path, WRAPINDUCE_DIR=disk.folder / "w", WRAPINDUCE_SAMPLE_PAGES=100)
    assert done.code == 0
    assert "Traceback" not in done.log
    stats = done.stats
    lost = stats["wrapinduce/pages/lost/disk"]
    assert 0 < lost < PAGES
    assert done.log.count("No space left on device") >= lost
    assert set(done.paths().values()) == {1}
    # The front page is an item too.
    assert len({item["url"] for item in done.items}) == PAGES + 1 - lost
    assert not [path for path in disk.folder.rglob("*") if path.is_file()
                and path.suffix not in (".json", ".about", ".gz")]  # fmt: skip


def test_a_job_stops_on_a_full_disk_and_goes_on_when_there_is_room(
    disk: SmallDisk, tmp_path: Path
) -> None:
    settings = {"JOBDIR": disk.folder / "job", "WRAPINDUCE_CRASH_SAFE": 1, "WRAPINDUCE_SAMPLE_PAGES": 5,
                "WRAPINDUCE_DIR": disk.folder / "w", "CONCURRENT_REQUESTS": 2}  # fmt: skip
    with serving(bulky()) as site:
        project(tmp_path, SPIDER.format(url=site.url),
                f'FEEDS = {{"{disk.folder}/items.jsonl": {{"format": "jsonlines"}}}}')  # fmt: skip
        full = crawl(tmp_path, **settings)
        before = read_items(disk.folder / "items.jsonl")
        disk.grow(20_000)
        done = crawl(tmp_path, **settings)
    assert "cannot be written and the crawl stops" in full.log
    assert full.stats["finish_reason"] == "wrapinduce_cannot_write"
    # Scrapy's own files in JOBDIR find no room either, and it says so in its way.
    assert "/scrapy_wrapinduce/" not in full.log + done.log
    assert len(before) < PAGES
    items = read_items(disk.folder / "items.jsonl")
    assert sorted(item["url"] for item in items) == sorted({item["url"] for item in items})
    assert len(items) == PAGES + 1
    assert done.stats["finish_reason"] == "finished"


def test_a_folder_that_cannot_be_written_to_is_said_at_once(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    done = crawl_bulky(tmp_path, WRAPINDUCE_DIR=tmp_path / "file" / "w")
    assert done.code != 0
    assert "WRAPINDUCE_DIR names a folder that cannot be written to" in done.log
    assert done.items == []
