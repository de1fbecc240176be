"""Signals of the crawl; connect to them as to Scrapy's own.

``template_found(site, template, pages)`` · a group of pages that look alike was found and is learned
``wrapper_learned(site, template, wrapper, pages)`` · it has its wrapper
``wrapper_failed(site, template, reason, pages)`` · none could be learned, or a stored one no longer fits
``wrapper_drifted(site, template, reason, pages)`` · a wrapper reads values that are not the fields' own
``wrapper_repaired(site, template, replaces, wrapper, pages)`` · a redesigned template has its fields again
``page_read(response, template, how, extraction)`` · a page became items
"""

template_found = object()
wrapper_learned = object()
wrapper_failed = object()
wrapper_drifted = object()
wrapper_repaired = object()
page_read = object()
