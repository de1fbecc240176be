"""What is built from the sources is what users get."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import zipfile
from importlib.metadata import entry_points, requires
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built from a copy so that the sources stay as they are."""
    folder = tmp_path_factory.mktemp("build")
    source = folder / "source"
    shutil.copytree(
        ROOT / "scrapy_wrapinduce",
        source / "scrapy_wrapinduce",
        ignore=shutil.ignore_patterns("__pycache__"),
    )
    for name in ("setup.cfg", "pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, source)
    command = [
        sys.executable,
        "-m",
        "pip",
        "wheel",
        "--quiet",
        "--no-deps",
        "--no-build-isolation",
        "--wheel-dir",
    ]
    done = subprocess.run(
        [*command, str(folder / "dist"), str(source)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return next((folder / "dist").glob("*.whl"))


def test_the_wheel_holds_the_package_and_nothing_else(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    modules = {
        path.relative_to(ROOT).as_posix() for path in (ROOT / "scrapy_wrapinduce").rglob("*.py")
    }
    assert modules <= set(names)
    assert "scrapy_wrapinduce/py.typed" in names
    assert any(name.endswith("licenses/LICENSE") for name in names)
    assert {name.split("/")[0].split("-")[0] for name in names} == {"scrapy_wrapinduce"}


def test_the_command_runs_from_the_wheel(wheel: Path, tmp_path: Path) -> None:
    zipfile.ZipFile(wheel).extractall(tmp_path)
    environment = {**os.environ, "PYTHONPATH": str(tmp_path)}
    code = (
        "import sys, scrapy_wrapinduce; print(scrapy_wrapinduce.__file__);"
        "from scrapy_wrapinduce.cli import main; sys.exit(main(['--version']))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.splitlines() == [
        str(tmp_path / "scrapy_wrapinduce/__init__.py"),
        wheel.name.split("-")[1],
    ]


def test_the_entry_points_lead_to_the_commands() -> None:
    (script,) = entry_points(group="console_scripts", name="wrapinduce")
    (command,) = entry_points(group="scrapy.commands", name="wrapinduce")
    assert script.load().__module__ == "scrapy_wrapinduce.cli"
    assert command.load().__module__ == "scrapy_wrapinduce.crawl.commands"


def test_only_scrapy_and_what_it_brings_is_required() -> None:
    required = [line for line in requires("scrapy-wrapinduce") or [] if "extra ==" not in line]
    assert sorted(required) == ["itemadapter", "lxml", "parsel", "scrapy>=2.13", "w3lib"]


LIGHT = """
import sys
import {module}
heavy = {{"scrapy", "twisted", "lxml", "redis", "duckdb", "extruct", "dateparser", "web_poet"}}
print(sorted(heavy & set(sys.modules)))
"""


@pytest.mark.parametrize("module", ["scrapy_wrapinduce.cli", "scrapy_wrapinduce.page"])
def test_the_core_does_not_import_scrapy(module: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", LIGHT.format(module=module)],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip() == "[]"


def test_the_scrapy_command_brings_no_other_packages() -> None:
    code = (
        "import scrapy.cmdline, sys; before = set(sys.modules);"
        "import scrapy_wrapinduce.crawl.commands; new = set(sys.modules) - before;"
        "print(sorted({name.split('.')[0] for name in new} - set(sys.stdlib_module_names)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "['scrapy_wrapinduce']"
