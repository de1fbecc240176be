"""A local web page to look at what a wrapper reads, and to correct it by clicking."""
