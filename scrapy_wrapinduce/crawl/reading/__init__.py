"""Pages and the wrappers of their sites: which one reads a page, whether it may be trusted, and the items."""
