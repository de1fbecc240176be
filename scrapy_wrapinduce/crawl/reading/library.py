"""Where the crawl keeps its pages and wrappers: opened at its start, brought up to date at its end."""

from __future__ import annotations

import logging
import shutil
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from datetime import datetime, timezone
from functools import partial
from pathlib import Path
from typing import Any

from ...errors import InvalidWrapper
from ...stores.files import ParkedPages, Wrappers, temporary_folder
from ...stores.sample import sample_path, save_sample
from ...stores.stored import StoredWrapper
from ...templates import Template
from ...wrapper import Wrapper, parse
from ..config import Config
from ..learning.messages import Learned
from .resting import Kept
from .shelf import Held, Shelf, WrapperIsGone
from .site import Active, Site

logger = logging.getLogger(__name__)

# Runs whose coverage is remembered with a wrapper.
RUNS = 20


class Library:
    """Parked pages live with the job, wrappers outlive it."""

    def __init__(self, config: Config) -> None:
        self.config = config
        self.store = Wrappers(config.folder / "wrappers")
        self.shelf = Shelf(config.wrapper_memory)
        self._temporary: Path | None = None

    def open(self) -> ParkedPages:
        """The parked pages: of the job, or of this run alone where there is no job folder."""
        if self.config.job_folder is not None:
            folder = self.config.job_folder / "parked"
        else:
            self._temporary = temporary_folder(self.config.folder)
            folder = self._temporary / "parked"
        return ParkedPages(folder, self.config.parked_limit)

    def wrappers(self) -> Iterator[StoredWrapper]:
        """The wrappers of earlier crawls that this one may use."""
        for stored in self.store.all():
            if isinstance(stored, InvalidWrapper):
                logger.error("A stored wrapper cannot be used: %s", stored)
            # Within a job the wrappers are the job's own; across jobs their use is the user's choice.
            elif self.config.reuse or stored.pinned or self._is_of_this_job(stored):
                yield stored

    def opened(self, stored: StoredWrapper) -> Active | None:
        """A wrapper of an earlier crawl, to be verified on this one's first pages; None when it cannot be used."""
        try:
            wrapper, template = parse(stored.text), Template.from_dict(stored.template)
        except (InvalidWrapper, KeyError, TypeError, ValueError) as error:
            logger.error("The stored wrapper %s cannot be used: %s", stored.id, error)
            return None
        return self.active(stored, wrapper, template, trusted=stored.pinned)

    def fetch(self, site: str, name: str) -> Active | None:
        """A wrapper from the store; None when it is not there any more, or cannot be used."""
        try:
            stored = self.store.one(site, name)
        except InvalidWrapper as error:
            logger.error("A stored wrapper cannot be used: %s", error)
            return None
        return self.opened(stored) if stored is not None else None

    def active(
        self,
        stored: StoredWrapper,
        wrapper: Wrapper,
        template: Template,
        *,
        trusted: bool = True,
        read: Callable[[], str] | None = None,
    ) -> Active:
        """A stored wrapper, ready for use. Its text stays in the store; ``read`` gives it, where that is not a file."""
        held = Held(wrapper)
        path = self.store.path(stored)
        held.shelve(self.shelf, stored.text, read or partial(path.read_text, "utf-8"))
        template.name = stored.name
        bare = replace(stored, text="", template={})
        return Active(bare, held, template, trusted, is_shared=read is not None)

    def held(self, kept: Kept, read: Callable[[], str] | None = None) -> Held:
        """A wrapper of a site that rested; ``read`` as for :meth:`active`."""
        path = self.store.path(kept.stored)
        read = read or partial(path.read_text, "utf-8")
        return Held.not_loaded(self.shelf, kept.size, kept.mark, read)

    def _is_of_this_job(self, stored: StoredWrapper) -> bool:
        return bool(self.config.job_folder) and stored.job == str(self.config.job_folder)

    def keep(self, site: Site, learned: Learned) -> Active:
        """Save a new wrapper; it is used from now on."""
        template = Template.from_dict(learned.template)
        # A page that is for itself again replaces what an earlier crawl learned from it.
        name = site.alone.get(learned.address or "") or site.new_name(template)
        stored = StoredWrapper(
            site.name,
            name,
            learned.wrapper,
            {**learned.template, "name": name},
            learned.sample,
            learned=_now(),
            fields=learned.fields,
            coverage=learned.coverage,
            field_coverage=learned.field_coverage,
            address=learned.address,
            job=str(self.config.job_folder or ""),
            seconds=round(learned.seconds, 3),
            replaces=learned.replaces,
        )
        wrapper = parse(learned.wrapper)
        try:
            if self.store.save(stored):
                logger.info("The wrapper %s of an earlier crawl is kept as a version: "
                            "wrapinduce wrappers history %s", stored.id, self.config.folder)  # fmt: skip
            save_sample(sample_path(self.store.path(stored)), learned.archive)
        except OSError as error:
            logger.error("The wrapper %s cannot be saved and serves this run alone: %s",
                         stored.id, error)  # fmt: skip
            return Active(stored, Held(wrapper), template)
        return self.active(stored, wrapper, template)

    def close(self, sites: Iterable[Site]) -> None:
        """Remember how each wrapper did in this run."""
        for site in sites:
            for active in [*site.active.values(), *site.singles.values()]:
                self.remember(active)
        if self._temporary is not None:
            shutil.rmtree(self._temporary, ignore_errors=True)

    def remember(self, active: Active) -> None:
        """Keep with a wrapper how it did in this run."""
        if not active.read:
            return
        run: dict[str, Any] = {
            "ended": _now(),
            "pages": active.read,
            "records": active.records,
            "coverage": round(active.coverage / active.read, 4),
            "fields": active.field_coverage(),
        }
        try:
            # As it is in the store: of a site at rest not all is at hand.
            stored = self.store.one(active.stored.site, active.name) or active.to_store()
            self.store.save(replace(stored, runs=(*stored.runs, run)[-RUNS:]))
        except (OSError, InvalidWrapper, WrapperIsGone) as error:
            logger.error("What was learned about %s cannot be saved: %s", active.stored.id, error)


def _now() -> str:
    return datetime.now(timezone.utc).isoformat(timespec="seconds")
