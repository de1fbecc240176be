"""The documentation builds without a warning, and leaves nothing out."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from scrapy_wrapinduce.cli import command_names

ROOT = Path(__file__).parents[1]


def test_it_builds_without_warnings(tmp_path: Path) -> None:
    pytest.importorskip("sphinx")
    command = [sys.executable, "-m", "sphinx", "-W", "--keep-going", "-q", "-b", "html"]
    done = subprocess.run(
        [*command, "-d", str(tmp_path / "doctrees"), "docs", str(tmp_path / "html")],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert (tmp_path / "html" / "tutorial.html").exists()


def test_every_command_has_its_section() -> None:
    text = (ROOT / "docs/cli.md").read_text(encoding="utf-8")
    assert [name for name in command_names() if f"\n## {name}\n" not in text] == []


def test_every_setting_that_does_something_has_its_section() -> None:
    folder = ROOT / "scrapy_wrapinduce"
    source = (folder / "crawl/config.py").read_text(encoding="utf-8")
    settings = re.findall(r'^ +(\w+)=.*?read\.\w+\("([A-Z_]+)"', source, re.MULTILINE)
    assert ("enabled", "ENABLED") in settings
    code = "\n".join(path.read_text(encoding="utf-8") for path in folder.rglob("*.py"))
    text = (ROOT / "docs/settings.md").read_text(encoding="utf-8")
    for field, name in settings:
        if re.search(rf"config\.{field}\b", code):
            assert f"\n## `WRAPINDUCE_{name}`\n" in text


def test_links_between_files_lead_somewhere() -> None:
    for path in [*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")]:
        for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", path.read_text(encoding="utf-8")):
            assert (path.parent / target).exists(), f"{path.name}: {target}"


def test_the_tutorial_does_what_it_says(tmp_path: Path) -> None:
    text = (ROOT / "docs/tutorial.md").read_text(encoding="utf-8")
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONUTF8": "1"}
    for language, block in re.findall(r"```(python|console|json)\n(.*?)```", text, re.DOTALL):
        if language == "json":
            (tmp_path / "examples.json").write_text(block, encoding="utf-8")
        elif language == "python" and "import" in block:
            subprocess.run([sys.executable, "-c", block], cwd=tmp_path, env=environment, check=True)
        elif language == "console":
            for line, output in re.findall(
                r"^\$ wrapinduce (.*)\n((?:[^$].*\n)*)", block, re.MULTILINE
            ):
                done = subprocess.run(
                    [sys.executable, "-m", "scrapy_wrapinduce", *shlex.split(line)],
                    cwd=tmp_path,
                    env=environment,
                    capture_output=True,
                    text=True,
                    encoding="utf-8",
                    check=False,
                )
                assert done.returncode == 0, (line, done.stderr)
                assert not output or done.stdout == output
    assert (tmp_path / "items.csv").exists()
