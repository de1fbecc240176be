"""Python's collector of cyclic garbage, held still while much is built that stays.

Learning makes millions of small tuples and hardly any cycles. The collector goes through them again and again, a sixth
of the time, and finds nothing; what is no longer needed is freed by reference counts all the same.
"""

from __future__ import annotations

import gc
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator


@contextmanager
def collector_paused() -> Iterator[None]:
    """Within this no cycles are looked for; afterwards it is as it was before.

    Whoever found the collector running starts it again, so that threads may overlap and pauses may nest.
    """
    if not gc.isenabled():
        yield
        return
    gc.disable()
    try:
        yield
    finally:
        if not gc.get_freeze_count():
            # What was built counts as old, as if a collection had gone through it.
            gc.freeze()
            gc.unfreeze()
        gc.enable()
