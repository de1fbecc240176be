"""What is taken away from the studio: the wrapper of a template as a file of selectors."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..export.forms import FORMS, Export, address, item_name, make_export
from .records import Refused

if TYPE_CHECKING:
    from .moment import Moment
    from .workspace import Template

_SUFFIXES = {"parsel": ".py", "page-object": "_page.py", "json": "_selectors.json"}


class Takeaway:
    """Exports of a template; selectors are derived once for what it reads at a moment."""

    def __init__(self) -> None:
        self._derived: tuple[Moment, Export] | None = None

    def file(self, template: Template, now: Moment, form: str, name: str) -> dict[str, Any]:
        """A file with its text, and how well it reads what the wrapper reads."""
        if form not in FORMS:
            raise Refused(f"an export is one of: {', '.join(FORMS)}")
        item = item_name(name.strip()[:80] or template.name.rsplit("/", 1)[-1])
        export = self._export(now)
        addresses = [address(named.name, named.page) for named in now.pages]
        return {
            "name": item,
            "file": f"{item}{_SUFFIXES[form]}",
            "text": export.text(form, item, addresses),
            "words": list(export.words),
        }

    def _export(self, now: Moment) -> Export:
        if self._derived is None or self._derived[0] is not now:
            if now.wrapper is None:
                raise Refused("nothing has been learned yet")
            export = make_export(now.wrapper, [named.page for named in now.pages])
            self._derived = (now, export)
        return self._derived[1]
