"""Properties hold however long they take to check: a busy machine fails no test."""

from __future__ import annotations

from hypothesis import settings

settings.register_profile("any machine", deadline=None)
settings.load_profile("any machine")
