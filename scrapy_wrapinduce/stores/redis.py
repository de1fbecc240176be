"""The store that many machines share: parked pages, wrappers, items, and who works on what.

A worker's hold on a request or a page is an entry in its ``holds``; it counts as long as the worker's
heartbeat does. Whatever a worker finishes — items out, page forgotten — happens in one script that first
takes the hold back: a worker that was given up in the meantime finishes nothing. All keys start
with ``wrapinduce:SPIDER:``.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from importlib import import_module
from typing import Any

from ..errors import WrapinduceError
from .shared_wrappers import SharedWrappers

# Redis may be away for about this many seconds before a worker gives up.
PATIENCE = 60

# Keys: holds of this worker, queue. Takes the next request and holds it under a name. A call that is tried again, as its
# answer was lost on the way, gives the same request.
_TAKE = """
local held = redis.call('hget', KEYS[1], 'r:' .. ARGV[1])
if held then return held end
local found = redis.call('zrange', KEYS[2], 0, 0)
if not found[1] then return false end
redis.call('zremrangebyrank', KEYS[2], 0, 0)
redis.call('hset', KEYS[1], 'r:' .. ARGV[1], found[1])
return found[1]
"""
# Keys: filter, queue. A request joins the queue if it is new, in one step.
_ADD = """
if ARGV[1] ~= '' and redis.call('sadd', KEYS[1], ARGV[1]) == 0 then return 0 end
redis.call('zadd', KEYS[2], ARGV[2], ARGV[3])
return 1
"""
# Keys: holds, pages, waiting, items, assigned. A request is done: its items, and the page to be parked.
_FINISH = """
if redis.call('hdel', KEYS[1], ARGV[1]) == 0 then return 0 end
if ARGV[2] ~= '' then
    redis.call('hset', KEYS[2], ARGV[2], ARGV[3])
    redis.call('hset', KEYS[3], ARGV[2], ARGV[4])
end
if string.sub(ARGV[1], 1, 2) == 'p:' then
    redis.call('hdel', KEYS[2], string.sub(ARGV[1], 3))
    redis.call('hdel', KEYS[5], string.sub(ARGV[1], 3))
end
for place = 5, #ARGV do redis.call('rpush', KEYS[4], ARGV[place]) end
return 1
"""
# Keys: holds, ready, assigned. Takes the next page that has its wrapper.
_TAKE_READY = """
local key = redis.call('lpop', KEYS[2])
if not key then return false end
redis.call('hset', KEYS[1], 'p:' .. key, '')
return {key, redis.call('hget', KEYS[3], key) or ''}
"""
# Keys: waiting, assigned, ready. Pages that wait have their wrapper.
_ASSIGN = """
for place = 2, #ARGV do
    if redis.call('hdel', KEYS[1], ARGV[place]) == 1 then
        redis.call('hset', KEYS[2], ARGV[place], ARGV[1])
        redis.call('rpush', KEYS[3], ARGV[place])
    end
end
"""
# Keys: holds, waiting, assigned. A page that was not read waits again.
_PUT_BACK = """
if redis.call('hdel', KEYS[1], 'p:' .. ARGV[1]) == 0 then return 0 end
redis.call('hdel', KEYS[3], ARGV[1])
return redis.call('hset', KEYS[2], ARGV[1], ARGV[2])
"""
# Keys: workers, queue, ready. Renews a heartbeat; what the dead held goes back.
_BEAT = """
local now = tonumber(redis.call('time')[1])
redis.call('zadd', KEYS[1], now + ARGV[2], ARGV[1])
local moved = 0
for _, worker in ipairs(redis.call('zrangebyscore', KEYS[1], '-inf', now)) do
    local holds = ARGV[3] .. worker
    local entries = redis.call('hgetall', holds)
    for place = 1, #entries, 2 do
        if string.sub(entries[place], 1, 2) == 'r:' then
            redis.call('zadd', KEYS[2], 0, entries[place + 1])
        else
            redis.call('rpush', KEYS[3], string.sub(entries[place], 3))
        end
        moved = moved + 1
    end
    redis.call('del', holds)
    redis.call('zrem', KEYS[1], worker)
end
return moved
"""
# Keys: leader. One worker at a time is in office, and stays there while it says so.
_LEAD = """
local leader = redis.call('get', KEYS[1])
if leader and leader ~= ARGV[1] then return 0 end
redis.call('set', KEYS[1], ARGV[1], 'EX', ARGV[2])
return 1
"""


# Keys: queue, ready, workers, waiting. All work there is, counted at one moment.
_LEFT = """
local under_way = redis.call('zcard', KEYS[1]) + redis.call('llen', KEYS[2])
for _, worker in ipairs(redis.call('zrange', KEYS[3], 0, -1)) do
    under_way = under_way + redis.call('hlen', ARGV[1] .. worker)
end
return {under_way, redis.call('hlen', KEYS[4])}
"""


class CannotShare(WrapinduceError):
    """The shared store cannot be used; the message says what to do."""


def client(url: str) -> Any:
    """A Redis client that waits while Redis is away, for a while."""
    redis = import_redis()
    return redis.Redis.from_url(url, **client_options())


def prompt_client(url: str) -> Any:
    """A Redis client for a person who waits; raises :class:`CannotShare` at once when Redis does not answer."""
    redis = import_redis()
    try:
        found = redis.Redis.from_url(url, socket_timeout=10)
        found.ping()
    except (redis.exceptions.RedisError, ValueError) as error:
        raise CannotShare(f"Redis at {url} does not answer: {error}") from error
    return found


def prefix_of(spider: str) -> str:
    """What the keys of a spider begin with."""
    return f"wrapinduce:{spider}:"


def client_options() -> dict[str, Any]:
    """What makes a client wait for Redis rather than fail at once."""
    known = import_redis().exceptions
    errors = (known.ConnectionError, known.TimeoutError, known.BusyLoadingError)
    backoff = import_module("redis.backoff").ConstantBackoff(1)
    retry = import_module("redis.retry").Retry(backoff, PATIENCE, supported_errors=errors)
    return {"retry": retry, "retry_on_error": list(errors), "socket_timeout": 10}


def import_redis() -> Any:
    try:
        return import_module("redis")
    except ImportError as error:
        raise CannotShare(
            "a crawl on many machines needs Redis: pip install 'scrapy-wrapinduce[redis]'"
        ) from error


class SharedStore:
    """What the workers of one spider share."""

    def __init__(
        self, redis: Any, spider: str, worker: str, queue: str, dupefilter: str, heartbeat: int = 15
    ) -> None:
        self.redis = redis
        self.worker = worker
        # Seconds without a sign of life after which a worker's holds and its office go to others.
        self.heartbeat = heartbeat
        self.prefix = prefix_of(spider)
        self.queue, self.dupefilter = queue, dupefilter
        self.holds = self._key(f"holds:{worker}")
        script = redis.register_script
        self._take, self._add, self._finish = script(_TAKE), script(_ADD), script(_FINISH)
        self._take_ready, self._assign = script(_TAKE_READY), script(_ASSIGN)
        self._put_back, self._beat, self._lead = script(_PUT_BACK), script(_BEAT), script(_LEAD)
        self._left = script(_LEFT)

    def _key(self, name: str) -> str:
        return f"{self.prefix}{name}"

    # Requests

    def add(self, fingerprint: str, score: float, data: bytes) -> bool:
        """Queue a request; False when it is known. Without a fingerprint it always counts as new."""
        return bool(self._add([self.dupefilter, self.queue], [fingerprint, score, data]))

    def take(self, row: str) -> bytes | None:
        """The next request; it is held until it is finished or this worker is given up."""
        data: bytes | None = self._take([self.holds, self.queue], [row])
        return data

    def let_go(self, row: str) -> None:
        """A request that was queued again, in another form."""
        self.redis.hdel(self.holds, f"r:{row}")

    def finish(
        self,
        hold: str,
        items: Sequence[bytes] = (),
        parked: tuple[str, bytes, str] | None = None,
    ) -> bool:
        """A unit of work is done, with its items and perhaps a page that waits for its wrapper.

        False when others have taken the work over: then nothing happens.
        """
        key, blob, about = parked or ("", b"", "")
        keys = [self.holds, *map(self._key, ("pages", "waiting", "items", "assigned"))]
        return bool(self._finish(keys, [hold, key, blob, about, *items]))

    # Pages

    def park(self, key: str, blob: bytes, about: str) -> None:
        """A page that came from no request of the queue waits for its wrapper."""
        self.redis.hset(self._key("pages"), key, blob)
        self.redis.hset(self._key("waiting"), key, about)

    def get(self, key: str) -> bytes | None:
        blob: bytes | None = self.redis.hget(self._key("pages"), key)
        return blob

    def waiting(self) -> dict[str, str]:
        """Pages without a wrapper, and what is known about them."""
        found: Mapping[bytes, bytes] = self.redis.hgetall(self._key("waiting"))
        return {key.decode(): about.decode() for key, about in found.items()}

    def assign(self, keys: Iterable[str], template: str, how: str) -> None:
        about = json.dumps([template, how])
        self._assign([*map(self._key, ("waiting", "assigned", "ready"))], [about, *keys])

    def take_ready(self) -> tuple[str, str, str] | None:
        """A page whose wrapper is there, with the wrapper's name and how it was chosen."""
        found = self._take_ready([self.holds, self._key("ready"), self._key("assigned")])
        if not found:
            return None
        template, how = json.loads(found[1]) if found[1] else ("", "")
        return found[0].decode(), template, how

    def put_back(self, key: str, site: str, shape: str) -> None:
        """A page that its wrapper did not read waits again; how often that happened is counted."""
        returns = int(self.redis.hincrby(self._key("returned"), key, 1))
        keys = [self.holds, self._key("waiting"), self._key("assigned")]
        self._put_back(keys, [key, json.dumps([site, shape, returns])])

    def release(self, key: str) -> None:
        """A page that was taken and not replayed; others may."""
        if self.redis.hdel(self.holds, f"p:{key}"):
            self.redis.rpush(self._key("ready"), key)

    def discard(self, key: str) -> None:
        """A page that can be learned from in no way."""
        self.redis.hdel(self._key("waiting"), key)
        self.redis.hdel(self._key("pages"), key)

    # Wrappers

    @property
    def wrappers(self) -> SharedWrappers:
        return SharedWrappers(self.redis, self.prefix)

    # Workers

    def beat(self) -> int:
        """This worker lives. Returns how much was taken back from workers that do not."""
        keys = [self._key("workers"), self.queue, self._key("ready")]
        return int(self._beat(keys, [self.worker, self.heartbeat, self._key("holds:")]))

    def lead(self) -> bool:
        """Whether this worker is the one that learns."""
        return bool(self._lead([self._key("leader")], [self.worker, self.heartbeat]))

    def resign(self) -> None:
        """Leave: the office, and the circle of the living."""
        if self.redis.get(self._key("leader")) == self.worker.encode():
            self.redis.delete(self._key("leader"))
        if not self.redis.hlen(self.holds):
            self.redis.zrem(self._key("workers"), self.worker)

    def work_left(self) -> tuple[int, int]:
        """Requests and pages that are under way or could be, and pages that wait for a wrapper."""
        keys = [self.queue, *map(self._key, ("ready", "workers", "waiting"))]
        under_way, waiting = self._left(keys, [self._key("holds:")])
        return int(under_way), int(waiting)

    def held(self) -> list[str]:
        """What this worker holds: ``r:`` and a request, ``p:`` and a page."""
        return [name.decode() for name in self.redis.hkeys(self.holds)]

    def items(self) -> list[bytes]:
        """All items so far, as JSON."""
        found: list[bytes] = self.redis.lrange(self._key("items"), 0, -1)
        return found

    def pages(self) -> int:
        return int(self.redis.hlen(self._key("pages")))
