"""A real Chromium for the tests, and the studio as a process of its own."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parent.parent


@contextmanager
def open_browser(folder: Path) -> Iterator[Any]:
    """Chromium with a profile in a folder; the test is skipped where there is none."""
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    driver = shutil.which("chromedriver")
    if chromium is None or driver is None:
        pytest.skip("no Chromium and chromedriver here: nothing was tried in a browser")
    webdriver = pytest.importorskip(
        "selenium.webdriver", reason="no selenium here: nothing was tried in a browser"
    )
    options = webdriver.ChromeOptions()
    options.binary_location = chromium
    for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--window-size=1400,1000"):
        options.add_argument(argument)
    options.add_argument(f"--user-data-dir={folder / 'profile'}")
    chrome = webdriver.Chrome(options, webdriver.ChromeService(driver))
    chrome.set_script_timeout(60)
    try:
        yield chrome
    finally:
        chrome.quit()


@contextmanager
def studio_of(folder: Path, *arguments: str) -> Iterator[str]:
    """``wrapinduce studio`` in a folder; the address to open."""
    server = subprocess.Popen(
        [sys.executable, "-m", "scrapy_wrapinduce", "studio", *arguments, "--no-browser"],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT), "PYTHONUTF8": "1"},
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert server.stderr is not None
        line = server.stderr.readline()
        assert "open http" in line, line
        yield line.split("open ")[1].split(" ")[0]
    finally:
        server.terminate()
        server.wait(10)
        if server.stderr is not None:
            server.stderr.close()


def wait(browser: Any, script: str) -> Any:
    from selenium.webdriver.support.ui import WebDriverWait

    return WebDriverWait(browser, 60).until(lambda b: b.execute_script(f"return {script}"))


def settled(browser: Any, text: str = "") -> str:
    """Wait until the studio has done what it was asked for and says so."""
    wait(
        browser,
        "document.getElementById('view').dataset.shown !== undefined"
        " && !document.body.hasAttribute('aria-busy')"
        f" && document.getElementById('status').textContent.includes({text!r})",
    )
    return str(browser.find_element("id", "status").text)


def click_on_page(browser: Any, css: str, number: int = 0) -> None:
    browser.switch_to.frame(browser.find_element("id", "view"))
    browser.find_elements("css selector", css)[number].click()
    browser.switch_to.default_content()


def open_field(browser: Any, name: str) -> None:
    """Have the tools of a field shown."""
    for line in browser.find_elements("css selector", "#fields details"):
        if line.find_element("css selector", ".chip").text == name and not line.get_attribute(
            "open"
        ):
            line.find_element("tag name", "summary").click()


def column(browser: Any, name: str) -> list[str]:
    """What the studio's table has of a field, page by page."""
    heads = [head.text for head in browser.find_elements("css selector", "#items thead th")]
    rows = browser.find_elements("css selector", "#items tbody tr")
    return [row.find_elements("css selector", "th, td")[heads.index(name)].text for row in rows]
