"""Lists of records: reading them by structure, learned from labels or found without any."""

from .discover import (
    Discovery,
    align_lists,
    discover,
    discover_in,
    learn_unlabelled,
    looks_like_list,
)
from .learn import learn
from .slots import FoundField
from .wrapper import RecordsWrapper

__all__ = [
    "Discovery",
    "FoundField",
    "RecordsWrapper",
    "align_lists",
    "discover",
    "discover_in",
    "learn",
    "learn_unlabelled",
    "looks_like_list",
]
