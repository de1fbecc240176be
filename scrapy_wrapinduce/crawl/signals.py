"""Signals of the crawl; connect to them as to Scrapy's own.

``template_found(site, template, pages)`` · a group of pages that look alike was found and is learned
``wrapper_learned(site, template, wrapper, pages)`` · it has its wrapper
``wrapper_failed(site, template, reason, pages)`` · none could be learned, or a stored one no longer fits
``page_read(response, template, how, extraction)`` · a page became items
"""

template_found = object()
wrapper_learned = object()
wrapper_failed = object()
page_read = object()
