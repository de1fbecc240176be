"""The Scrapy side: collect pages, learn off the event loop, apply, lose nothing.

Nothing is imported here: the learning process reads parts of this package without Scrapy.
"""
