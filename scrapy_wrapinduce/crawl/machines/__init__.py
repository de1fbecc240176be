"""One crawl on many machines."""
