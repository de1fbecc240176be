"""What the studio works on: pages, what was said about them so far, and the wrapper learned from that.

What was said is a file of examples, from which ``wrapinduce learn --examples`` gives the same wrapper. Every correction
(see ``corrections``) is saved at once, can be undone and made again, up to a bound.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Concatenate, ParamSpec

from ..fields.saved import Saved
from ..page import Page
from ..stores.sample import pack_sample, sample_path, save_sample
from ..wrapper import Extraction, Wrapper
from .kept import ExamplesFile
from .moment import Moment, StudioPage
from .records import Examples, Refused

MOST_UNDONE = 200
Arguments = ParamSpec("Arguments")


class Project:
    """Pages of one template, and what is known about them.

    ``given`` is what the file of examples says about the pages by the names they go by here, ``spoken_of`` the names
    that they go by in the file.
    """

    def __init__(
        self,
        pages: Iterable[StudioPage],
        examples_path: Path,
        wrapper_path: Path,
        given: Saved | None = None,
        on_save: Callable[[Moment], None] | None = None,
        spoken_of: Collection[str] = (),
    ) -> None:
        self.wrapper_path = wrapper_path
        self._on_save = on_save
        shown = tuple(pages)
        names = {named.name for named in shown}
        self._file = ExamplesFile(examples_path, {*names, *spoken_of})
        saved = given if given is not None else Saved()
        examples = saved.examples if isinstance(saved.examples, dict) else {}
        own = {name: one for name, one in examples.items() if name in names}
        self.now = Moment(shown, own, saved.types)
        self.is_saved = False  # whether the files say what there is now
        self._before: list[Moment] = []
        self._undone: list[Moment] = []
        self._kept: Sequence[StudioPage] = ()  # what is in the archive beside the wrapper

    @property
    def examples_path(self) -> Path:
        return self._file.path

    @property
    def pages(self) -> Sequence[StudioPage]:
        return self.now.pages

    @property
    def examples(self) -> Examples:
        return self.now.examples

    @property
    def wrapper(self) -> Wrapper | None:
        return self.now.wrapper

    @property
    def extractions(self) -> Sequence[Extraction]:
        return self.now.extractions

    @property
    def can_undo(self) -> bool:
        return bool(self._before)

    @property
    def can_redo(self) -> bool:
        return bool(self._undone)

    def fields(self) -> list[str]:
        """The fields there are, in order."""
        return self.now.fields()

    def learn(self) -> None:
        """Learn from all pages and the examples; raises CannotInduce and leaves everything as it was."""
        learned = self.now.learned()
        assert learned.wrapper is not None
        self.now = replace(learned, types=self._with_types_of(learned.wrapper))

    def use(self, wrapper: Wrapper) -> None:
        """Begin with a wrapper that was learned before."""
        types = self._with_types_of(wrapper)
        self.now = replace(self.now.read_by(wrapper.with_types(types)), types=types)
        self.is_saved = True

    def _with_types_of(self, wrapper: Wrapper) -> dict[str, str]:
        """The types said so far, and those that the wrapper came with; from now on these are said too."""
        self._file.types_changed(wrapper.types.keys() - self.now.types.keys())
        return {**wrapper.types, **self.now.types}

    def correct(
        self,
        correction: Callable[Concatenate[Moment, Arguments], Moment],
        *arguments: Arguments.args,
        **named: Arguments.kwargs,
    ) -> None:
        """Make a correction and save it; where it cannot be made or saved, everything stays as it was."""
        self._become(correction(self.now, *arguments, **named))

    def accept(self, wrapper: Wrapper, pages: Sequence[StudioPage]) -> None:
        """Take a repaired wrapper and the pages of the new design; examples of old pages are examples no more."""
        moment = replace(self.now, pages=tuple(pages), examples={})
        self._become(moment.read_by(wrapper.with_types(self.now.types)))

    def undo(self) -> None:
        """Go back to what was before the last correction."""
        if not self._before:
            raise Refused("there is nothing to undo")
        was = self.now
        self._change(self._before[-1])
        self._before.pop()
        self._undone.append(was)

    def redo(self) -> None:
        """Make the correction again that was undone last."""
        if not self._undone:
            raise Refused("there is nothing to redo")
        was = self.now
        self._change(self._undone[-1])
        self._undone.pop()
        self._before.append(was)

    def save(self) -> None:
        """Write the examples and the wrapper, each completely or not at all."""
        names = {named.name for named in self.pages}
        self._file.write(names, self.examples, self.now.types)
        if self._on_save is not None:
            self._on_save(self.now)
        elif self.wrapper is not None:
            self.wrapper.save(self.wrapper_path)
            self._keep_pages()
        self.is_saved = True

    def _keep_pages(self) -> None:
        """Have the pages beside the wrapper, as "learn" has: it can be looked at and exported by itself then."""
        if self._kept is not self.pages:
            kept = (Page(named.page.html, named.name) for named in self.pages)
            save_sample(sample_path(self.wrapper_path), pack_sample(kept))
            self._kept = self.pages

    def _become(self, moment: Moment) -> None:
        was = self.now
        self._change(moment)
        self._before = [*self._before, was][-MOST_UNDONE:]
        self._undone = []

    def _change(self, moment: Moment) -> None:
        changed = {name for name, _ in moment.types.items() ^ self.now.types.items()}
        self._file.types_changed(changed)
        was, self.now = self.now, moment
        try:
            self.save()
        except Exception:
            self.now = was
            raise
