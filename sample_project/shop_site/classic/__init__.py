"""The site's first design: one function per template, from records to HTML.

A second design is a second package with the same functions, named in ``site.DESIGNS``.
"""

from .frame import home, info
from .magazine import article, article_list, author
from .shop import brand, product, product_list

__all__ = [
    "article",
    "article_list",
    "author",
    "brand",
    "home",
    "info",
    "product",
    "product_list",
]
