"""A Scrapy project without selectors, and the site that it crawls."""
