"""Small list pages, each a shape that real lists take; rows in, HTML out."""

from __future__ import annotations

from collections.abc import Sequence

Row = tuple[str, str]

TABLE_1: list[Row] = [("Congo", "242"), ("Egypt", "20"), ("Belize", "501"), ("Spain", "34")]
TABLE_2: list[Row] = [("Chad", "235"), ("Peru", "51"), ("Fiji", "679")]


def country_codes(rows: Sequence[Row]) -> str:
    """Kushmerick 2000, Figure 1."""
    body = "".join(f"<B>{country}</B> <I>{code}</I><BR>" for country, code in rows)
    return (
        "<HTML><TITLE>Some Country Codes</TITLE><BODY><B>Some Country Codes</B><P>"
        f"{body}<HR><B>End</B></BODY></HTML>"
    )


def lines(rows: Sequence[Row]) -> str:
    body = "<br>".join(f"{country}: {code} lines" for country, code in rows)
    return f"<html><body><h1>Codes</h1><div id=x>{body}</div><p>bye</p></body></html>"


def definitions(rows: Sequence[Row]) -> str:
    body = "".join(f"<dt>{country}<dd>code <b>{code}</b>" for country, code in rows)
    return f"<html><body><dl>{body}</dl></body></html>"


def two_rows_each(rows: Sequence[Row]) -> str:
    body = ""
    for number, (country, code) in enumerate(rows):
        body += f"<tr><td colspan=2>{country}</td></tr><tr><td>Code</td><td>{code}</td></tr>"
        if number == 1:
            body += "<tr><td colspan=2>Advertisement</td></tr>"
    return f"<table><tr><th>Country</th><th>Code</th></tr>{body}</table>"


def three_rows_each(rows: Sequence[Row]) -> str:
    row = "<tr><td>{}</td></tr><tr><td>{}</td></tr><tr><td>-</td></tr>"
    return f"<table>{''.join(row.format(*one) for one in rows)}</table>"


def columns(rows: Sequence[Row]) -> str:
    countries = "".join(f"<td>{country}</td>" for country, _ in rows)
    codes = "".join(f"<td>{code}</td>" for _, code in rows)
    return f"<table><tr><th>Country</th>{countries}</tr><tr><th>Code</th>{codes}</tr></table>"


def sentences(rows: Sequence[Row]) -> str:
    body = "".join(f"<p><b>{country}</b> has code {code} (2020)</p>" for country, code in rows)
    return f"<p>List</p>{body}<p>footer text</p>"


def zebra(rows: Sequence[Row]) -> str:
    body = ""
    for number, (country, code) in enumerate(rows):
        classes = ["row", "odd" if number % 2 else "even"]
        classes += ["first"] if not number else ["last"] if number == len(rows) - 1 else []
        body += f'<tr class="{" ".join(classes)}"><td>{country}</td><td>{code}</td></tr>'
    return (
        "<table class=nav><tr><td>Home</td><td>About</td></tr></table>"
        f"<table class=data><tr class=head><th>Country</th><th>Code</th></tr>{body}</table>"
    )


def grid(rows: Sequence[Row]) -> str:
    """Records in cells, two to a row."""
    cells = [f"<td><h3>{country}</h3><p>code <i>{code}</i></p></td>" for country, code in rows]
    body = "".join(f"<tr>{''.join(cells[i : i + 2])}</tr>" for i in range(0, len(cells), 2))
    return f"<h1>Codes</h1><table>{body}</table>"


def cards(rows: Sequence[Row]) -> str:
    """No class names at all, a link and a picture in each record, some without a code."""
    body = ""
    for country, code in rows:
        note = f"<div><span>code</span> <span>{code}</span></div>" if code else ""
        body += (
            f'<div><a href="/c/{country.lower()}"><img src="/f/{country.lower()}.png"></a>'
            f'<h2><a href="/c/{country.lower()}">{country}</a></h2>{note}</div>'
        )
    return f"<div><a href=/>Home</a> <a href=/about>About</a></div><div>{body}</div>"


def boxes(rows: Sequence[Row]) -> str:
    """Each record a table, in the cells of tables that lay out the page."""
    body = "".join(
        f"<table><tr><td>{country}</td><td><b>{code}</b></td></tr></table>"
        for country, code in rows
    )
    for _ in range(3):
        body = f"<table><tr><td>{body}</td></tr></table>"
    return f"<body>{body}</body>"


SHAPES = {
    shape.__name__: shape
    for shape in (
        country_codes,
        lines,
        definitions,
        two_rows_each,
        three_rows_each,
        columns,
        sentences,
        zebra,
        grid,
        cards,
        boxes,
    )
}


def records(rows: Sequence[Row]) -> list[dict[str, str]]:
    return [
        {name: value for name, value in (("country", country), ("code", code)) if value}
        for country, code in rows
    ]
