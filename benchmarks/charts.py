"""Plain charts as SVG, without a plotting package."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from math import floor, log10

WIDTH, HEIGHT = 720, 360
LEFT, RIGHT, TOP, BOTTOM = 60, 150, 30, 50
COLOURS = ("#1b6ca8", "#d1495b", "#2e8b57", "#e09f3e", "#6a4c93", "#555555")
Series = dict[str, Sequence[tuple[float, float]]]


def lines(title: str, x_name: str, y_name: str, series: Series, low: float | None = None) -> str:
    """One line per series, with its points."""
    return _plot(title, x_name, y_name, series, low, joined=True)


def points(title: str, x_name: str, y_name: str, series: Series) -> str:
    """One cloud of points per series."""
    return _plot(title, x_name, y_name, series, 0.0, joined=False)


def bars(title: str, values: dict[str, float], low: float) -> str:
    """One horizontal bar per name, from ``low`` to 100."""
    row, left = 14, 190
    height = TOP + row * len(values) + 20
    body = [_text(left, 18, title, "start", 13)]
    for index, (name, value) in enumerate(values.items()):
        y = TOP + index * row
        width = max(0.0, value - low) / (100 - low) * (WIDTH - left - 60)
        body.append(_text(left - 6, y + 10, name, "end"))
        body.append(
            f'<rect x="{left}" y="{y + 1}" width="{width:.1f}" height="{row - 3}" fill="{COLOURS[0]}"/>'
        )
        body.append(_text(left + width + 4, y + 10, f"{value:.1f}", "start"))
    return _svg(body, height)


def _plot(
    title: str, x_name: str, y_name: str, series: Series, low: float | None, *, joined: bool
) -> str:
    xs = [x for held in series.values() for x, _ in held]
    ys = [y for held in series.values() for _, y in held]
    x_low, x_high = 0.0, max(xs)
    y_low, y_high = min(ys) if low is None else low, max(ys)
    y_high += (y_high - y_low or 1) * 0.02

    def at(x: float, y: float) -> tuple[float, float]:
        return (
            LEFT + (x - x_low) / (x_high - x_low or 1) * (WIDTH - LEFT - RIGHT),
            HEIGHT - BOTTOM - (y - y_low) / (y_high - y_low or 1) * (HEIGHT - TOP - BOTTOM),
        )

    body = [_text(LEFT, 18, title, "start", 13)]
    body.append(_text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 12, x_name, "middle"))
    body.append(_text(8, TOP - 6, y_name, "start"))
    for tick in _ticks(x_low, x_high):
        x, y = at(tick, y_low)
        body.append(_text(x, y + 16, f"{tick:g}", "middle"))
        body.append(f'<path d="M{x:.1f} {y:.1f}v4" stroke="#888"/>')
    for tick in _ticks(y_low, y_high):
        x, y = at(x_low, tick)
        body.append(_text(x - 6, y + 4, f"{tick:g}", "end"))
        body.append(f'<path d="M{x:.1f} {y:.1f}H{WIDTH - RIGHT}" stroke="#ddd"/>')
    for index, (name, held) in enumerate(series.items()):
        colour = COLOURS[index % len(COLOURS)]
        places = [at(x, y) for x, y in held]
        if joined:
            path = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
            body.append(
                f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"/>'
            )
        body += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{colour}"/>' for x, y in places]
        y = TOP + 16 * index + 8
        body.append(f'<circle cx="{WIDTH - RIGHT + 14}" cy="{y}" r="4" fill="{colour}"/>')
        body.append(_text(WIDTH - RIGHT + 24, y + 4, name, "start"))
    return _svg(body, HEIGHT)


def _ticks(low: float, high: float) -> list[float]:
    span = high - low or 1.0
    step = 10 ** floor(log10(span))
    while span / step < 4:
        step /= 2
    first = floor(low / step) + (low % step > 1e-9)
    return [index * step for index in range(int(first), int(high / step + 1e-9) + 1)]


def _text(x: float, y: float, text: str, anchor: str, size: int = 11) -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" font-size="{size}">{escape(text)}</text>'


def _svg(body: list[str], height: int) -> str:
    inside = "\n".join(body)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}"'
        f' font-family="sans-serif">\n<rect width="100%" height="100%" fill="white"/>\n{inside}\n</svg>\n'
    )
