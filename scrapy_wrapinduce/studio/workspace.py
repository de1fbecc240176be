"""All that a studio was opened on: pages of one template, or the templates of a crawl's store."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from ..errors import CannotRepair, InvalidWrapper, WrapinduceError
from ..fields.saved import Saved
from ..stores.files import Wrappers
from ..stores.sample import changed_path, pack_sample, read_sample, sample_path, save_sample
from ..stores.stored import StoredWrapper
from ..upkeep import repair
from ..wrapper import dump, load, parse
from .moment import Moment, StudioPage
from .project import Project
from .takeaway import Takeaway

if TYPE_CHECKING:
    from ..upkeep.repair import Repair
    from ..wrapper import Wrapper

STORE_EXAMPLES = "examples.json"
Read = Callable[[Path], Saved]


class NothingToShow(WrapinduceError):
    """There is no template with pages; the message says what to do."""


@dataclass
class Design:
    """Pages as they look now, and the wrapper and pages of the design before."""

    old_wrapper: Wrapper
    old_pages: Sequence[StudioPage]
    new_pages: Sequence[StudioPage]
    proposed: Repair | None = None
    reason: str = ""  # why there is no proposal

    def propose(self) -> None:
        """Repair the old wrapper on the new pages; done once, when somebody looks."""
        if self.proposed is not None or self.reason:
            return
        try:
            found = self._repaired()
        except (CannotRepair, InvalidWrapper) as error:
            self.reason = str(error)
            return
        if found.wrapper is self.old_wrapper:
            self.reason = "the wrapper still reads these pages as it read those before"
        else:
            self.proposed = found

    def _repaired(self) -> Repair:
        """With all fields, or, as somebody looks before it is accepted, with those that are sure."""
        pages = [named.page for named in self.new_pages]
        try:
            return repair(self.old_wrapper, pages)
        except CannotRepair as strict:
            try:
                return repair(self.old_wrapper, pages, every_field=False)
            except CannotRepair:
                raise strict from None


@dataclass
class Template:
    """A template to choose; its project is made when it is chosen."""

    name: str
    pages: int
    note: str
    open: Callable[[], Project]
    redesign: Callable[[], Design | None] = lambda: None
    project: Project | None = None
    design: Design | None = field(default=None)
    has_looked: bool = False
    takeaway: Takeaway = field(default_factory=Takeaway)


class Workspace:
    """Templates by name; one is worked on at a time."""

    def __init__(self, templates: Sequence[Template]) -> None:
        if not templates:
            raise NothingToShow("no template here has pages to look at; name a folder of pages")
        self.templates = {template.name: template for template in templates}

    def project(self, name: str) -> Project:
        template = self.template(name)
        if template.project is None:
            template.project = template.open()
        return template.project

    def template(self, name: str) -> Template:
        if name not in self.templates:
            raise NothingToShow("there is no such template")
        return self.templates[name]

    def design(self, name: str) -> Design | None:
        """Both designs of a template whose pages have changed; None where they have not."""
        template = self.template(name)
        if not template.has_looked:
            template.has_looked = True
            template.design = template.redesign()
        return template.design

    def accept(self, name: str) -> None:
        """Use the repaired wrapper from now on."""
        design = self.design(name)
        if design is None or design.proposed is None:
            raise NothingToShow("there is no repair to accept")
        self.project(name).accept(design.proposed.wrapper, design.new_pages)


def of_project(project: Project, name: str, redesign: Callable[[], Design | None]) -> Workspace:
    """A workspace of one template."""
    template = Template(name, len(project.pages), "", lambda: project, redesign, project)
    return Workspace([template])


def of_store(folder: Path, read: Read) -> Workspace:
    """The templates of a crawl's WRAPINDUCE_DIR that have pages; ``read`` reads a file of examples."""
    store = Wrappers(folder / "wrappers")
    stored = {one.id: one for one in store.all() if isinstance(one, StoredWrapper)}
    templates = []
    for one in stored.values():
        pages = _pages(sample_path(store.path(one)))
        if pages:
            templates.append(_template(store, one, stored, pages, folder / STORE_EXAMPLES, read))
    templates.sort(key=lambda template: (not template.note, -template.pages, template.name))
    return Workspace(templates)


def _template(
    store: Wrappers,
    stored: StoredWrapper,
    others: Mapping[str, StoredWrapper],
    pages: Sequence[StudioPage],
    examples: Path,
    read: Read,
) -> Template:
    path = store.path(stored)

    def open_project() -> Project:
        # Read when it is needed: another template's corrections may have been saved meanwhile.
        given = read(examples) if examples.exists() else None
        project = Project(pages, examples, path, given, lambda now: _keep(store, stored, now))
        project.use(parse(stored.text))
        return project

    before = others.get(f"{stored.site}/{stored.replaces}") if stored.replaces else None
    changed = _pages(changed_path(path))
    note = "redesigned" if before is not None else "pages changed" if changed else ""

    def redesign() -> Design | None:
        if before is not None:
            return Design(load(store.path(before)), _pages(sample_path(store.path(before))), pages)
        return Design(load(path), pages, changed) if changed else None

    return Template(stored.id, len(pages), note, open_project, redesign)


def _keep(store: Wrappers, stored: StoredWrapper, now: Moment) -> None:
    """Put a corrected wrapper, and the pages it reads, in the store: the next crawl uses it."""
    if now.wrapper is None:
        return
    records = [record for extraction in now.extractions for record in extraction.records]
    shares = {
        name: round(sum(name in record for record in records) / max(1, len(records)), 4)
        for name in now.wrapper.fields
    }
    coverages = sorted(extraction.coverage for extraction in now.extractions)
    store.save(
        replace(
            stored,
            text=dump(now.wrapper),
            fields=now.wrapper.fields,
            coverage=coverages[len(coverages) // 2] if coverages else 0.0,
            field_coverage=shares,
        )
    )
    save_sample(sample_path(store.path(stored)), pack_sample(named.page for named in now.pages))


def _pages(path: Path) -> list[StudioPage]:
    return [StudioPage(page.url or "page", page) for page in read_sample(path)]
