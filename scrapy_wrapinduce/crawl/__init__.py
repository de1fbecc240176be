"""The Scrapy side: what collects pages, learns from them and turns them into items during a crawl."""
