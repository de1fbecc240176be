"""A site that rests, as text: all that is known of it but its pages' routes, which the next pages show again."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

from ...stores.stored import StoredWrapper, described
from ...templates import Template
from .site import Active, Site

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from .shelf import Held

#: Finds a wrapper that is in its store, by what is known of it.
FindHeld = Callable[["Kept"], "Held"]


class Kept(NamedTuple):
    """A wrapper that is not in memory: what is known of it, whether its store is the shared one, its size and its mark."""

    stored: StoredWrapper
    is_shared: bool
    size: int
    mark: int


def to_text(site: Site) -> str:
    """A site at which nothing is under way."""
    state = {
        "seen": site.seen,
        "sample": site.sample,
        "round_at": site.round_at,
        "round_pages": site.round_pages,
        "names": list(site.names),
        "numbers": site.numbers,
        "alone": site.alone,
        **{kind: [_wrapper(one) for one in ones.values()] for kind, ones in _kinds(site)},
    }
    return json.dumps(state)


def from_text(text: str, site: Site, held: FindHeld) -> Site:
    """The inverse of :func:`to_text`, into a site of which nothing but the name is known."""
    state = json.loads(text)
    site.seen, site.sample = state["seen"], state["sample"]
    site.round_at, site.round_pages = state["round_at"], state["round_pages"]
    for kind, ones in _kinds(site):
        for data in state[kind]:
            active = _active(data, held)
            ones[active.name] = active
    for active in site.active.values():
        site.templates.add(active.template)
    site.names, site.numbers, site.alone = set(state["names"]), state["numbers"], state["alone"]
    return site


def _kinds(site: Site) -> Iterator[tuple[str, dict[str, Active]]]:
    yield "active", site.active
    yield "retired", site.retired
    yield "singles", site.singles


def _wrapper(active: Active) -> dict[str, Any]:
    return {
        "about": {**active.stored.about(), "template": {}},
        "template": active.template.to_dict(),
        "size": active.held.size,
        "mark": active.held.mark,
        **{name: getattr(active, name) for name in _COUNTS},
    }


def _active(data: Mapping[str, Any], held: FindHeld) -> Active:
    stored = described(data["about"], "")
    kept = Kept(stored, data["is_shared"], data["size"], data["mark"])
    active = Active(stored, held(kept), Template.from_dict(data["template"]))
    for name in _COUNTS:
        value = data[name]
        setattr(active, name, Counter(value) if isinstance(value, dict) else value)
    return active


_COUNTS = (
    "trusted", "is_shared", "read", "misread", "last_read", "records", "coverage", "fields", "failures",
)  # fmt: skip
