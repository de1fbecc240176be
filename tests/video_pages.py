"""The paper's running example (Figure 2): a page of videos before and after a redesign, and a table of prices."""

from __future__ import annotations

from collections.abc import Sequence

Video = dict[str, str]

OLD: list[Video] = [
    {"name": "May Morning", "year": "1972", "director": "Ugo Liberatore",
     "actors": "Jane Birkin; John Steiner; Rosella Falk", "dvd": "15.38-23.26", "vhs": "14.98-18.99"},
    {"name": "Paper Moon", "year": "1973", "director": "Peter Bogdanovich",
     "actors": "Ryan O'Neal; Tatum O'Neal", "dvd": "9.99-14.50", "vhs": "7.25-12.00"},
    {"name": "The Sting", "year": "1973", "director": "George Hill",
     "actors": "Paul Newman; Robert Redford; Robert Shaw", "dvd": "12.49-19.98", "vhs": "8.95-11.49"},
    {"name": "Amarcord", "year": "1974", "director": "Federico Fellini",
     "actors": "Magali Noel; Bruno Zanin", "dvd": "21.99-29.95", "vhs": "17.50-24.00"},
]  # fmt: skip
NEW: list[Video] = [
    {"name": "Lucky Day", "year": "2002", "director": "Penelope Buitenhuis",
     "actors": "Amanda Donohoe, Tony Lo Bianco, Andrew Gillies", "dvd": "13.59-17.00", "vhs": "8.99-10.49"},
    {"name": "Spirited Away", "year": "2001", "director": "Hayao Miyazaki",
     "actors": "Rumi Hiiragi, Miyu Irino", "dvd": "18.99-25.00", "vhs": "11.29-14.95"},
    {"name": "About Schmidt", "year": "2002", "director": "Alexander Payne",
     "actors": "Jack Nicholson, Hope Davis, Kathy Bates", "dvd": "14.95-20.15", "vhs": "9.75-12.25"},
]  # fmt: skip
FIELDS = ("name", "director", "actors", "dvd", "vhs")


def wanted(videos: Sequence[Video]) -> list[Video]:
    return [{field: video[field] for field in FIELDS} for video in videos]


def original(videos: Sequence[Video]) -> str:
    """Figure 2 (a)."""
    rows = "\n".join(
        f"""<tr><td><a href="/v/{i}"><b>{v["name"]}</b></a> ({v["year"]}) directed by <i>{v["director"]}</i><br>
<b>Featuring</b> : <span>{v["actors"]}</span>
<ul><li><b>DVD</b> - $ <u>{v["dvd"]}</u></li><li><b>VHS</b> - $ <u>{v["vhs"]}</u></li></ul></td></tr>"""
        for i, v in enumerate(videos)
    )
    return f"<html><body><h1>Videos</h1><table>{rows}</table><p>Help</p></body></html>"


def changed(videos: Sequence[Video]) -> str:
    """Figure 2 (b): other elements, other order; the annotations are the same words."""
    blocks = "\n".join(
        f"""<div class="video"><h3><a href="/title/{i}">{v["name"]}</a></h3>
<p>DVD</p><em>{v["dvd"]}</em><p>VHS</p><em>{v["vhs"]}</em>
<div><b>Directed by:</b> <span>{v["director"]}</span></div>
<div><b>Featuring</b> <span>{v["actors"]}</span></div></div>"""
        for i, v in enumerate(videos)
    )
    menu = "".join(f'<li><a href="/g/{g}">{g}</a></li>' for g in ("Drama", "Comedy", "Western"))
    return f"<html><body><ul>{menu}</ul><section>{blocks}</section><p>Click here for help</p></body></html>"


BOOKS = [
    ("Data on Web", "$29.00", "$23.00"),
    ("Java Programming", "$59.00", "$49.00"),
    ("Compilers", "$78.50", "$70.25"),
    ("Query Optimization", "$45.00", "$41.10"),
    ("Information Retrieval", "$62.90", "$55.00"),
]


def price_table(heads: Sequence[str], order: Sequence[int]) -> str:
    """The table of section 5; ``order`` of its columns."""
    head = "".join(f"<th>{heads[i]}</th>" for i in order)
    rows = "".join(
        "<tr>" + "".join(f"<td>{book[i]}</td>" for i in order) + "</tr>" for book in BOOKS
    )
    return f"<html><body><table><tr>{head}</tr>{rows}</table></body></html>"
