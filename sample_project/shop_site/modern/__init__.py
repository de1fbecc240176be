"""The site's second design: the same records in other markup, other words and another order."""

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
