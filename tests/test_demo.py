"""The demo from end to end: a site that is served, crawled by ``scrapy crawl`` and compared."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from sample_project.shop_site import Site

ROOT = Path(__file__).parents[1]

pytest.importorskip("scrapy_wrapinduce.crawl.spider", reason="the crawl is not there")


def test_the_demo(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "sample_project.demo", "--out", str(tmp_path / "out")],
        cwd=ROOT,
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=600,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    # How large the share has to be is asked where the crawl is tested.
    assert re.search(r"[\d.]+% of \d+ values equal the site's database", done.stdout)
    lines = (tmp_path / "out/items.jsonl").read_text(encoding="utf-8").splitlines()
    read = Counter(re.sub(r"^http://[^/]+", "", json.loads(line)["url"]) for line in lines)
    wanted = {path for path, page in Site().truth.items() if page.kind in ("product", "article")}
    assert {path: read[path] for path in wanted} == dict.fromkeys(wanted, 1)
    for path in re.findall(r"^  (\S+)  \([\d,]+ kB\)$", done.stdout, re.MULTILINE):
        assert (ROOT / path).exists()


def test_a_folder_with_other_files_is_not_emptied(tmp_path: Path) -> None:
    (tmp_path / "precious.txt").write_text("mine", encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "sample_project.demo", "--out", str(tmp_path)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (1, "")
    assert "holds other files" in done.stderr
    assert (tmp_path / "precious.txt").exists()
