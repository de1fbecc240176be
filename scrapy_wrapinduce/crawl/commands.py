"""``scrapy wrapinduce COMMAND``: the ``wrapinduce`` command line inside Scrapy's.

Scrapy loads this module on every call of ``scrapy``, so it imports nothing else.
"""

from __future__ import annotations

import argparse
from typing import Any, ClassVar

from scrapy.commands import ScrapyCommand


class Command(ScrapyCommand):
    """Hand everything after ``wrapinduce`` to the command line of that name."""

    requires_project = False
    requires_crawler_process = False
    # Scrapy 2.13 loads the project's spiders for every command; a broken one is none of our business.
    default_settings: ClassVar[dict[str, Any]] = {
        "LOG_ENABLED": False,
        "SPIDER_LOADER_WARN_ONLY": True,
    }

    def syntax(self) -> str:
        return "COMMAND [arguments]"

    def short_desc(self) -> str:
        return "Learn wrappers from pages, and read pages with them"

    def long_desc(self) -> str:
        from ..cli import command_names

        names = ", ".join(command_names())
        return (
            f"{self.short_desc()}. Commands: {names}. "
            'Use "scrapy wrapinduce COMMAND -h" to see more about one.'
        )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        parser.add_argument("arguments", nargs=argparse.REMAINDER, help=argparse.SUPPRESS)

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        from ..cli import main

        self.exitcode = main(opts.arguments or args, prog="scrapy wrapinduce")
