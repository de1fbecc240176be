"""Sphinx: ``make docs`` builds this folder, and a test does so with warnings as errors."""

from __future__ import annotations

import argparse
import os
from importlib.metadata import version as installed_version

from docutils import nodes
from docutils.parsers.rst import Directive
from sphinx.application import Sphinx

from scrapy_wrapinduce.cli import build_parser

project = "scrapy-wrapinduce"
author = "the scrapy-wrapinduce authors"
project_copyright = f"2026, {author}"
release = version = installed_version("scrapy-wrapinduce")

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.viewcode"]
myst_enable_extensions = ["colon_fence", "deflist", "fieldlist"]
myst_heading_anchors = 3
exclude_patterns = ["_build"]
html_theme = "furo"
html_title = f"scrapy-wrapinduce {release}"

autodoc_typehints = "description"
autodoc_member_order = "bysource"


class CommandHelp(Directive):
    """``{command-help} learn``: the help of a command, as it prints it itself."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        # argparse folds lines to the width of the terminal, which a page does not have.
        os.environ["COLUMNS"] = "90"
        for action in build_parser()._actions:
            if isinstance(action, argparse._SubParsersAction):
                text = action.choices[self.arguments[0]].format_help()
                return [nodes.literal_block(text, text, language="none")]
        raise self.error("there are no commands")


def setup(app: Sphinx) -> None:
    app.add_directive("command-help", CommandHelp)
