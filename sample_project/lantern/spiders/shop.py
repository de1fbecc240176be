"""The whole site from its front page: what is on a page is found out by the crawl."""

from __future__ import annotations

import os

from scrapy_wrapinduce import InducedSpider


class ShopSpider(InducedSpider):
    name = "shop"
    start_urls = [os.environ.get("SHOP_SITE", "http://127.0.0.1:8765/")]
