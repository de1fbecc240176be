"""Lists of records between delimiters: Kushmerick's six wrapper classes."""

from .choice import choose
from .learn import learn

__all__ = ["choose", "learn"]
