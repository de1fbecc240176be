"""What a worker has to tell the shared store, while that does not answer.

A page's requests and items are safe once they are in Redis. When it is away for longer than a call waits, they are kept here in
their order, and sent when it is back. Should the worker end before, its hold on the page is given to another one, and the page is
done again.
"""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Callable
from typing import Any

logger = logging.getLogger(__name__)

Call = Callable[[], Any]


class Outbox:
    """Calls that were not answered, in order."""

    def __init__(self, errors: type[Exception]) -> None:
        self.errors = errors
        self._calls: deque[Call] = deque()

    def __len__(self) -> int:
        return len(self._calls)

    def send(self, call: Call) -> Any:
        """Make a call now, and give its answer; or later, and give None. None overtakes another."""
        if not self._calls:
            try:
                return call()
            except self.errors as error:
                logger.error(
                    "Redis does not answer (%s): what it has to be told is kept until it does",
                    error,
                )
        self._calls.append(call)
        return None

    def flush(self) -> None:
        """Make the calls that wait; raises the error of the first that is not answered again."""
        while self._calls:
            self._calls[0]()
            self._calls.popleft()
