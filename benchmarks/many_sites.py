"""Many small sites from one process, each on a port of its own.

``python -m benchmarks.many_sites SITES PAGES`` prints the addresses on one line, and serves until it is ended.
"""

from __future__ import annotations

import asyncio
import random
import resource
import sys

WORDS = "amber birch cedar dune ember fjord grove heath inlet jetty knoll larch moor north".split()


def html(site: int, target: str, pages: int) -> str | None:
    """A page of a site: its front page, one about it, or one of its things."""
    if target == "/":
        links = "".join(
            f'<li><a href="/thing/{number}">{number}</a></li>' for number in range(pages)
        )
        return f'<html><body><h1>Site {site}</h1><ul>{links}</ul><a href="/about">About</a></body></html>'
    kind, _, number = target.lstrip("/").partition("/")
    said = random.Random(f"{site} {target}")
    text = " ".join(said.choice(WORDS) for _ in range(30))
    if kind == "about" and not number:
        return f"<html><body><h1>About site {site}</h1><p>{text}</p></body></html>"
    if kind != "thing" or not number.isdigit() or int(number) >= pages:
        return None
    name = " ".join(said.choice(WORDS).title() for _ in range(3))
    facts = "".join(
        f"<dt>{label}</dt><dd>{said.choice(WORDS)} {said.randrange(1000)}</dd>"
        for label in ("Maker", "Colour", "Weight", "Year")
    )
    # Each site has classes of its own, as each has a design of its own.
    return (
        f'<html><head><title>{name}</title></head><body><div class="s{site}-top"><a href="/">Home</a></div>'
        f'<h1 class="s{site}-name">{name}</h1><p class="s{site}-price">${said.randrange(9, 99)}.90</p>'
        f'<dl class="s{site}-facts">{facts}</dl><p class="s{site}-text">{text}</p></body></html>'
    )


async def _answer(
    site: int, pages: int, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
) -> None:
    try:
        while head := await reader.readuntil(b"\r\n\r\n"):
            page = html(site, head.split(b" ", 2)[1].decode("latin-1"), pages)
            body = (page or "<h1>Not found</h1>").encode()
            status = b"200 OK" if page is not None else b"404 Not Found"
            writer.write(
                b"HTTP/1.1 %b\r\nContent-Type: text/html\r\nContent-Length: %d\r\nConnection: close\r\n\r\n"
                % (status, len(body))
                + body
            )
            await writer.drain()
            break
    except (asyncio.IncompleteReadError, ConnectionError):
        pass
    finally:
        writer.close()


async def serve(sites: int, pages: int) -> None:
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    servers = [
        await asyncio.start_server(
            lambda reader, writer, site=site: _answer(site, pages, reader, writer), "127.0.0.1", 0
        )
        for site in range(sites)
    ]
    ports = (server.sockets[0].getsockname()[1] for server in servers)
    print(*(f"http://127.0.0.1:{port}/" for port in ports), flush=True)
    await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(serve(int(sys.argv[1]), int(sys.argv[2])))
