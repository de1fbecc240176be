"""The Scrapy project: settings and spiders, no selectors."""
