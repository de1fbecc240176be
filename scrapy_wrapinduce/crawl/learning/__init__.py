"""Learning beside the crawl: rounds, the process that they run in, and what it does there."""
