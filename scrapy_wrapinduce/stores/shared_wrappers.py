"""The wrappers that the workers of a crawl share in Redis, and what was in use before them.

Under ``wrapinduce:SPIDER:``, ``wrappers`` holds each wrapper with what is known about it, ``versions:SITE/NAME`` the earlier ones by
their numbers, and ``wrappers:changes`` names what was put into use, one after the other, so that workers notice.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from ..errors import InvalidWrapper
from .stored import StoredWrapper, described
from .versions import KEPT, NoSuchVersion

# Wrappers that are asked for at once: of very many sites they would not fit into memory together.
AT_ONCE = 16
# Keys: wrappers, versions of this one, changes. What was in use becomes a version, in one step with the change.
_PUBLISH = """
local before = redis.call('hget', KEYS[1], ARGV[1])
local changed = 0
if before and cjson.decode(before)['text'] ~= cjson.decode(ARGV[2])['text'] then
    local number = redis.call('hincrby', KEYS[2], 'last', 1)
    redis.call('hset', KEYS[2], number, before)
    redis.call('hdel', KEYS[2], number - ARGV[3])
    changed = 1
end
redis.call('hset', KEYS[1], ARGV[1], ARGV[2])
redis.call('rpush', KEYS[3], ARGV[1])
return changed
"""


class SharedWrappers:
    """Wrappers in Redis, by site and template; all its keys begin with ``prefix``."""

    def __init__(self, redis: Any, prefix: str) -> None:
        self.redis = redis
        self.prefix = prefix
        self._publish = redis.register_script(_PUBLISH)

    @property
    def _changes(self) -> str:
        return f"{self.prefix}wrappers:changes"

    def _versions(self, stored: StoredWrapper) -> str:
        return f"{self.prefix}versions:{stored.id}"

    def save(self, stored: StoredWrapper) -> bool:
        """Put a wrapper into use; another one of its name becomes an earlier version: then True."""
        keys = [f"{self.prefix}wrappers", self._versions(stored), self._changes]
        return bool(self._publish(keys, [stored.id, json.dumps(asdict(stored)), KEPT]))

    def changes(self) -> int:
        """Goes up whenever a wrapper is put into use."""
        return int(self.redis.llen(self._changes))

    def changed_since(self, changes: int) -> Iterator[StoredWrapper | InvalidWrapper]:
        """What was put into use after so many changes, each once."""
        for name in dict.fromkeys(self.redis.lrange(self._changes, changes, -1)):
            data = self.redis.hget(f"{self.prefix}wrappers", name)
            if data is not None:
                yield _read_or_error(name, data)

    def one(self, site: str, name: str) -> StoredWrapper | None:
        """The wrapper of a name; None where there is none, and :class:`InvalidWrapper` where it is broken."""
        key = f"{site}/{name}".encode()
        data = self.redis.hget(f"{self.prefix}wrappers", key)
        found = None if data is None else _read_or_error(key, data)
        if isinstance(found, InvalidWrapper):
            raise found
        return found

    def all(self) -> Iterator[StoredWrapper | InvalidWrapper]:
        """Every wrapper in use; for a broken one, the error that says what is wrong."""
        key = f"{self.prefix}wrappers"
        names = sorted(self.redis.hkeys(key))
        for start in range(0, len(names), AT_ONCE):
            asked = names[start : start + AT_ONCE]
            for name, data in zip(asked, self.redis.hmget(key, asked), strict=True):
                if data is not None:
                    yield _read_or_error(name, data)

    def numbers(self, stored: StoredWrapper) -> list[int]:
        """The earlier versions that are kept, oldest first."""
        names = (name.decode() for name in self.redis.hkeys(self._versions(stored)))
        return sorted(int(name) for name in names if name.isdecimal())

    def number(self, stored: StoredWrapper) -> int:
        """The number of the wrapper in use."""
        return max(self.numbers(stored), default=0) + 1

    def version(self, stored: StoredWrapper, number: int) -> StoredWrapper:
        """An earlier version of a wrapper; raises :class:`NoSuchVersion`."""
        data = self.redis.hget(self._versions(stored), number)
        if data is None:
            kept = ", ".join(map(str, self.numbers(stored))) or "none"
            raise NoSuchVersion(f"{stored.id} has no version {number}; kept: {kept}")
        try:
            return _read(data)
        except (ValueError, InvalidWrapper) as error:
            raise InvalidWrapper(f"{stored.id}, version {number}: {error}") from error

    def where(self, stored: StoredWrapper, number: int) -> str:
        """Where a version is, for people."""
        return ""

    def remove(self, stored: StoredWrapper) -> None:
        """Forget a wrapper and its earlier versions."""
        self.redis.hdel(f"{self.prefix}wrappers", stored.id)
        self.redis.delete(self._versions(stored))


def _read_or_error(name: bytes, data: bytes) -> StoredWrapper | InvalidWrapper:
    try:
        return _read(data)
    except (ValueError, InvalidWrapper) as error:
        return InvalidWrapper(f"{name.decode()}: {error}")


def _read(data: bytes) -> StoredWrapper:
    about = json.loads(data)
    text = about.get("text") if isinstance(about, dict) else None
    if not isinstance(text, str):
        raise InvalidWrapper("it has no text")
    return described(about, text)
