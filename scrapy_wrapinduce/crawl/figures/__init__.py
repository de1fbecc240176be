"""The crawl's numbers, and what is made of them: the log, the verdict, the report."""
