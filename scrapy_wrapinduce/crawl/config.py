"""All settings, read once and checked; every error names its setting."""

from __future__ import annotations

import math
import os
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from scrapy.exceptions import UsageError
from scrapy.utils.project import data_path, inside_project

from ..errors import CannotInduce, WrapinduceError
from ..landmark.counting import rule_words

if TYPE_CHECKING:
    from scrapy.settings import BaseSettings

MEGABYTE = 1 << 20
# All that begin with WRAPINDUCE_: others are misspelled.
SETTINGS = tuple(
    f"WRAPINDUCE_{name}"
    for name in (
        "ENABLED DIR SAMPLE_PAGES ATTRIBUTES LEARN_TIMEOUT PARKED_LIMIT_MB WRAPPER_MEMORY_MB MAX_PAGE_SIZE_MB "
        "REUSE ITEM_CLASS FIELDS EXAMPLES KEPT_PAGES REPORT PROVENANCE CRASH_SAFE PROGRESS_INTERVAL AT_ONCE ON_DRIFT "
        "MIN_COVERAGE MIN_FIELD_COVERAGE MAX_COVERAGE_DROP REDIS_URL REDIS_HEARTBEAT"
    ).split()
)


_REDIS = ("redis://", "rediss://", "unix://")


class InvalidSetting(WrapinduceError, UsageError):
    """A WRAPINDUCE_ setting has a value that cannot be used; the message says what is expected.

    A ``UsageError`` too, which Scrapy's commands print in a line, without where it came from.
    """


@dataclass(frozen=True)
class Config:
    """The settings that start with ``WRAPINDUCE_``, in lower case and without it."""

    enabled: bool
    folder: Path
    job_folder: Path | None
    sample_pages: int
    learn_timeout: float
    parked_limit: int
    wrapper_memory: int
    max_page_size: int
    kept_pages: int
    report: Path | None
    reuse: bool
    provenance: str
    crash_safe: bool
    at_once: bool
    progress_interval: float
    redis_url: str
    redis_heartbeat: int
    on_drift: str
    min_coverage: float
    max_coverage_drop: float
    min_field_coverage: dict[str, float]
    attributes: tuple[str, ...]

    @staticmethod
    def is_enabled(settings: BaseSettings) -> bool:
        """Whether crawls are to learn; without a word about it, no."""
        return _Reader(settings).flag("ENABLED", False)

    @classmethod
    def from_settings(cls, settings: BaseSettings, spider: str = "spider") -> Config:
        read = _Reader(settings)
        at_once = read.flag("AT_ONCE", bool(os.environ.get("SCRAPY_CHECK")))
        config = cls(
            enabled=read.flag("ENABLED", False),
            folder=read.folder("DIR", spider),
            job_folder=Path(settings["JOBDIR"]) / "wrapinduce" if settings.get("JOBDIR") else None,
            sample_pages=read.whole("SAMPLE_PAGES", 20, least=1),
            learn_timeout=read.number("LEARN_TIMEOUT", 120, least=0.1),
            parked_limit=int(read.number("PARKED_LIMIT_MB", 1024, least=1) * MEGABYTE),
            wrapper_memory=int(read.number("WRAPPER_MEMORY_MB", 256, least=0.01) * MEGABYTE),
            max_page_size=int(read.number("MAX_PAGE_SIZE_MB", 20, least=0.01) * MEGABYTE),
            kept_pages=read.whole("KEPT_PAGES", 20, least=0, most=100),
            report=read.report("REPORT", spider),
            reuse=read.flag("REUSE", True),
            provenance=read.provenance("PROVENANCE"),
            # Who looks at a single page takes no part in a job, and is no worker of a cluster.
            crash_safe=read.flag("CRASH_SAFE", False) and not at_once,
            at_once=at_once,
            progress_interval=read.number("PROGRESS_INTERVAL", 60, least=0),
            redis_url="" if at_once else read.redis("REDIS_URL"),
            redis_heartbeat=read.whole("REDIS_HEARTBEAT", 15, least=3),
            on_drift=read.choice("ON_DRIFT", ("repair", "stop", "warn")),
            min_coverage=read.number("MIN_COVERAGE", 0, least=0, most=1),
            max_coverage_drop=read.number("MAX_COVERAGE_DROP", 0.3, least=0, most=1),
            min_field_coverage=read.shares("MIN_FIELD_COVERAGE"),
            attributes=read.attributes("ATTRIBUTES"),
        )
        if config.redis_url and config.crash_safe:
            raise InvalidSetting(
                "WRAPINDUCE_CRASH_SAFE is for one machine; with WRAPINDUCE_REDIS_URL the shared store "
                "does its work: set one of them"
            )
        if config.crash_safe and config.job_folder is None:
            raise InvalidSetting(
                "WRAPINDUCE_CRASH_SAFE needs a folder that outlives the crawl: set JOBDIR as well "
                "(for example -s JOBDIR=crawls/shop-1)"
            )
        return config

    def make_folders(self) -> None:
        """Make the folders of a crawl, and find out before it begins that they cannot be written to."""
        for setting, folder in (("WRAPINDUCE_DIR", self.folder), ("JOBDIR", self.job_folder)):
            if folder is None:
                continue
            try:
                folder.mkdir(parents=True, exist_ok=True)
                with tempfile.TemporaryFile(dir=folder):
                    pass
            except OSError as error:
                raise InvalidSetting(
                    f"{setting} names a folder that cannot be written to: {error}"
                ) from None
        if self.report is not None and not self.report.parent.is_dir():
            raise InvalidSetting(
                f"WRAPINDUCE_REPORT is {str(self.report)!r}, but there is no folder {self.report.parent}"
            )


class _Reader:
    def __init__(self, settings: BaseSettings) -> None:
        self.settings = settings

    def flag(self, name: str, default: bool) -> bool:
        try:
            return self.settings.getbool(f"WRAPINDUCE_{name}", default)
        except (TypeError, ValueError, OverflowError):
            raise self._wrong(name, "True or False") from None

    def number(self, name: str, default: float, least: float, most: float = float("inf")) -> float:
        value = self.settings.get(f"WRAPINDUCE_{name}", default)
        try:
            number = float(value)
        except (TypeError, ValueError):
            raise self._wrong(name, "a number") from None
        if not (least <= number <= most and math.isfinite(number)):
            upper = "" if most == float("inf") else f" and at most {most:g}"
            raise self._wrong(name, f"a number of at least {least:g}{upper}")
        return number

    def whole(self, name: str, default: int, least: int, most: float = float("inf")) -> int:
        number = self.number(name, default, least, most)
        if not number.is_integer():
            raise self._wrong(name, "a whole number")
        return int(number)

    def redis(self, name: str) -> str:
        value = self.settings.get(f"WRAPINDUCE_{name}") or ""
        if value and not (isinstance(value, str) and value.startswith(_REDIS)):
            raise self._wrong(name, "an address such as redis://10.0.0.5:6379/0")
        return str(value)

    def attributes(self, name: str) -> tuple[str, ...]:
        try:
            return rule_words(self.settings.get(f"WRAPINDUCE_{name}"))
        except CannotInduce as error:
            raise InvalidSetting(f"WRAPINDUCE_{name}: {error}") from error

    def choice(self, name: str, choices: tuple[str, ...]) -> str:
        """One of several words, the first when nothing is said."""
        value = self.settings.get(f"WRAPINDUCE_{name}", choices[0])
        if value not in choices:
            raise self._wrong(name, " or ".join(map(repr, choices)))
        return str(value)

    def provenance(self, name: str) -> str:
        value = self.settings.get(f"WRAPINDUCE_{name}", "")
        if value in (False, None, "", "0", "False", "false"):
            return ""
        if value in (True, "1", "True", "true"):
            return "wrapinduce"
        if not isinstance(value, str):
            raise self._wrong(name, "True, False or the name of an item field")
        return value

    def shares(self, name: str) -> dict[str, float]:
        try:
            value = self.settings.getdict(f"WRAPINDUCE_{name}", {})
            shares = {str(key): float(share) for key, share in value.items()}
        except (TypeError, ValueError):
            raise self._wrong(name, "a dict of field names and shares from 0 to 1") from None
        if not all(0 <= share <= 1 for share in shares.values()):
            raise self._wrong(name, "a dict of field names and shares from 0 to 1")
        return shares

    def folder(self, name: str, spider: str) -> Path:
        value = self.settings.get(f"WRAPINDUCE_{name}")
        if value in (None, ""):
            place = f"wrapinduce/{spider}"
            return Path(data_path(place) if inside_project() else f".scrapy/{place}")
        if not isinstance(value, (str, Path)):
            raise self._wrong(name, "the path of a folder")
        return Path(value)

    def report(self, name: str, spider: str) -> Path | None:
        """Where the report goes: with the wrappers unless a file is named, nowhere when it is turned off."""
        value = self.settings.get(f"WRAPINDUCE_{name}", True)
        if value in (True, "1", "True", "true"):
            return self.folder("DIR", spider) / "report.html"
        if value in (False, None, "", "0", "False", "false"):
            return None
        if not isinstance(value, (str, Path)):
            raise self._wrong(name, "True, False or the path of a file")
        return Path(value)

    def _wrong(self, name: str, expected: str) -> InvalidSetting:
        value = self.settings.get(f"WRAPINDUCE_{name}")
        return InvalidSetting(f"WRAPINDUCE_{name} is {value!r}, but has to be {expected}")
