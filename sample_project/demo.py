"""Serve the sample site, crawl it, and say how much of its database came back.

``python -m sample_project.demo`` from the repository. The site runs in its own process on the
loopback address; the crawl is a plain ``scrapy crawl shop``. All that is written goes to
``sample_project/out``.
"""

from __future__ import annotations

import argparse
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from .shop_site.compare import compare, excerpt, read_items, report
from .shop_site.site import Site

PROJECT = Path(__file__).resolve().parent
OUT = PROJECT / "out"
LOG_TAIL = 15


class DemoFailed(Exception):
    """The demo cannot go on; the message says why in one line."""


@contextmanager
def served(port: int = 0, redesign_after: int | None = None) -> Iterator[str]:
    """The site in its own process, for as long as the block runs."""
    command = [sys.executable, "-m", "shop_site.serve", "--port", str(port)]
    if redesign_after is not None:
        command += ["--redesign-after", str(redesign_after)]
    server = subprocess.Popen(command, cwd=PROJECT, stdout=subprocess.PIPE, text=True)
    try:
        assert server.stdout is not None
        url = server.stdout.readline().strip()
        if not url:
            raise DemoFailed(f"the sample site did not start (exit {server.wait()})")
        yield url
    finally:
        server.terminate()
        try:
            server.wait(timeout=10)
        except subprocess.TimeoutExpired:
            server.kill()
            server.wait()


def crawl(spider: str, site: str, out: Path, timeout: float = 600) -> Path:
    """Run one spider of the project over the site; returns the file with its items."""
    items, log = out / "items.jsonl", out / "crawl.log"
    command = [sys.executable, "-m", "scrapy", "crawl", spider, "-O", str(items)]
    command += ["-s", f"LOG_FILE={log}", "-s", f"WRAPINDUCE_DIR={out / 'wrapinduce'}"]
    paths = [str(PROJECT.parent), os.environ.get("PYTHONPATH", "")]
    environment = {
        **os.environ,
        "SHOP_SITE": site,
        "PYTHONPATH": os.pathsep.join(filter(None, paths)),
        # A proxy of the surroundings must not be asked for this machine's own pages.
        "no_proxy": "127.0.0.1",
        "NO_PROXY": "127.0.0.1",
    }
    try:
        done = subprocess.run(command, cwd=PROJECT, env=environment, timeout=timeout, check=False)
    except subprocess.TimeoutExpired:
        raise DemoFailed(f"the crawl took longer than {timeout:.0f} s, see {log}") from None
    if done.returncode != 0:
        _print_tail(log)
        raise DemoFailed(f"scrapy crawl {spider} ended with exit {done.returncode}, see {log}")
    if not items.exists() or not items.stat().st_size:
        _print_tail(log)
        raise DemoFailed(f"the crawl gave no items, see {log}")
    return items


def _print_tail(log: Path) -> None:
    if log.exists():
        lines = log.read_text(encoding="utf-8", errors="replace").splitlines()
        print("\n".join(lines[-LOG_TAIL:]), file=sys.stderr)


def _files(folder: Path) -> str:
    rows = []
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            name = os.path.relpath(path)
            rows.append(f"  {name}  ({path.stat().st_size / 1024:,.0f} kB)")
    return "\n".join(rows)


def _clear(out: Path) -> None:
    """Make room for a new run, and never empty a folder that is not from an earlier one."""
    if out.is_dir() and any(out.iterdir()) and not (out / "crawl.log").exists():
        raise DemoFailed(f"{out} holds other files; name an empty or new folder with --out")
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir(parents=True)


def _told(log: Path) -> str:
    """What the crawl said about the redesign."""
    lines = log.read_text(encoding="utf-8", errors="replace").splitlines()
    telling = [line for line in lines if "redesigned" in line or "takes over" in line]
    return "\n".join(f"  {line.partition(': ')[2]}" for line in telling)


def run(spider: str, port: int, out: Path, redesign_after: int | None = None) -> None:
    _clear(out)
    truth = Site().truth
    with served(port, redesign_after) as site:
        print(f"Serving {len(truth)} pages at {site}")
        if redesign_after is not None:
            print(f"After {redesign_after} pages the site shows its second design")
        print(f"Crawling: scrapy crawl {spider}", flush=True)
        begun = time.monotonic()
        items = read_items(crawl(spider, site, out))
    print(f"{len(items)} items in {time.monotonic() - begun:.1f} s\n")
    if redesign_after is not None:
        print(f"From the log:\n{_told(out / 'crawl.log')}\n")
    comparison = compare(items, truth)
    print(excerpt(items, truth, comparison))
    print(f"\n{report(comparison)}")
    print(f"\n{comparison.by_name:.1%} of {comparison.values} values equal the site's database.")
    print(f"\nFiles written:\n{_files(out)}")
    print("\nOpen in a browser to see what was learned:")
    print(f"  {os.path.relpath(out / 'wrapinduce' / 'report.html')}")


def _terminate(*_: object) -> None:
    sys.exit(143)


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Crawl the sample site and check the items.")
    parser.add_argument("--spider", default="shop")
    parser.add_argument("--port", type=int, default=0, help="of the site (default: a free one)")
    parser.add_argument(
        "--redesign-after",
        type=int,
        metavar="PAGES",
        help="the site shows its second design once so many pages have been asked for",
    )
    parser.add_argument("--out", type=Path, default=OUT, help="a folder for what is written")
    options = parser.parse_args(arguments)
    signal.signal(signal.SIGTERM, _terminate)
    try:
        run(options.spider, options.port, options.out.resolve(), options.redesign_after)
    except DemoFailed as failure:
        print(f"demo: {failure}", file=sys.stderr)
        return 1
    except OSError as error:
        print(f"demo: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("demo: stopped", file=sys.stderr)
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main())
