"""Lists of records inside a page's record."""
