"""One address, relative or absolute, escaped or not."""

from __future__ import annotations

from html import unescape
from typing import TYPE_CHECKING
from urllib.parse import unquote, urljoin, urlsplit

if TYPE_CHECKING:
    from ...records.tree import Tree


def base_of(tree: Tree, url: str | None) -> str:
    """What relative addresses of a page are relative to."""
    for item in tree.named("base")[:1]:
        tag = tree.tag[item]
        href = tag.get("href") if tag else None
        if href:
            return _join(url or "", href)
    return url or ""


def _join(base: str, address: str) -> str:
    try:
        return urljoin(base, address.strip())
    except ValueError:
        return address.strip()


def comparable(base: str, address: str) -> str:
    """An address in the one form that is compared: absolute, unescaped, without scheme."""
    return (
        unquote(_join(base, unescape(address))).partition("://")[2].rstrip("/") or address.strip()
    )


def without_host(address: str) -> str:
    """A comparable address from its path on, for pages whose own address is not known."""
    if "/" in address and not address.startswith(("/", ".")):
        return "/" + address.partition("/")[2]
    try:
        return urlsplit(address)._replace(scheme="", netloc="").geturl()
    except ValueError:
        return address
