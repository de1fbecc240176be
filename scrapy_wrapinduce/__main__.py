"""``python -m scrapy_wrapinduce`` is the ``wrapinduce`` command."""

import sys

from .cli import main

sys.exit(main(prog="python -m scrapy_wrapinduce"))
