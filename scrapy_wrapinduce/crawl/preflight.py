"""What can be found wrong before a crawl begins, while Scrapy's commands still answer with a line.

Later, Scrapy logs an error together with where in the program it came from, which tells a user little.
"""

from __future__ import annotations

import logging
from difflib import get_close_matches
from time import monotonic, sleep
from types import SimpleNamespace
from typing import TYPE_CHECKING

from .config import SETTINGS, Config, InvalidSetting
from .job.journal import JOURNAL, CannotOpenJournal, Journal
from .wishes import take_wishes

if TYPE_CHECKING:
    from scrapy.settings import BaseSettings

logger = logging.getLogger(__name__)

PREFIX = "WRAPINDUCE_"
_WISHES = ("item_class", "fields", "examples")
_PAUSE = 1.0


def check(spider: type, settings: BaseSettings) -> None:
    """Raise :class:`InvalidSetting` where a crawl of a spider with these settings could not work."""
    config = Config.from_settings(settings, getattr(spider, "name", None) or "spider")
    _name_misspelled(settings)
    # What the settings wish is looked at here, and given to the spider when there is one.
    take_wishes(
        SimpleNamespace(**{name: getattr(spider, name, None) for name in _WISHES}),
        settings,
        config.folder,
    )
    if config.at_once:
        return
    config.make_folders()
    if config.crash_safe:
        _try_journal(config)
    if config.redis_url:
        _await_redis(config.redis_url)


def _name_misspelled(settings: BaseSettings) -> None:
    for name in settings:
        if isinstance(name, str) and name.startswith(PREFIX) and name not in SETTINGS:
            near = get_close_matches(name, SETTINGS, 1)
            meant = f": is {near[0]} meant?" if near else ""
            logger.warning("There is no setting %s%s", name, meant)


def _try_journal(config: Config) -> None:
    assert config.job_folder is not None
    try:
        Journal(config.job_folder / JOURNAL).close()
    except (CannotOpenJournal, OSError) as error:
        raise InvalidSetting(f"JOBDIR names a job that cannot go on: {error}") from error


def _await_redis(url: str) -> None:
    """Wait for Redis, which may be about to start; a while, and only where that can help."""
    from ..stores import redis as shared
    from .machines.frontier import import_queues

    try:
        known = shared.import_redis().exceptions
        import_queues()
        client = shared.import_redis().Redis.from_url(url, socket_timeout=10)
    except (shared.CannotShare, ValueError) as error:
        raise InvalidSetting(f"WRAPINDUCE_REDIS_URL is {url!r}, but {error}") from error
    passing = (known.ConnectionError, known.TimeoutError, known.BusyLoadingError)
    until = monotonic() + shared.PATIENCE
    has_said = False
    while True:
        try:
            client.ping()
        except known.RedisError as error:
            is_final = not isinstance(error, passing) or isinstance(
                error, known.AuthenticationError
            )
            if is_final or monotonic() >= until:
                raise InvalidSetting(
                    f"WRAPINDUCE_REDIS_URL is {url!r}, but that Redis does not answer: {error}"
                ) from error
            if not has_said:
                logger.warning("Redis at %s does not answer (%s): waiting for it for %d s",
                               url, error, shared.PATIENCE)  # fmt: skip
                has_said = True
            sleep(_PAUSE)
        else:
            client.close()
            return
