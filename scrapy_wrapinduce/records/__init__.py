"""Lists of records: reading them by structure, learned from labels or found without any."""

from .learn import learn
from .wrapper import RecordsWrapper

__all__ = ["RecordsWrapper", "learn"]
