"""Names and choice of fields on pages as they are made today: hashed classes, a frame, few pages."""

from __future__ import annotations

import pytest

from scrapy_wrapinduce import Page, induce

WOODS = ["Oak", "Ash", "Elm", "Fir", "Yew", "Box", "Bay", "Fig"]


def card(number: int) -> str:
    return (
        f'<article class="css-k12"><a class="css-l1" href="/p/{number}.html"><img src="/i/{number}.jpg">'
        f'<h3 class="css-t5">{WOODS[number % 8]} lamp {number}</h3></a><span class="css-9r">€{number}7.50</span>'
        f"{f'<s>€{number}9.90</s>' if number % 2 else ''}</article>"
    )


def product(number: int) -> Page:
    wood = WOODS[number]
    body = f"""<ol class="css-bc"><li><a href="/">Home</a></li><li><a href="/c/{wood}">{wood} things</a></li></ol>
<h1 class="css-h1x">{wood} lamp {number}</h1><span class="css-9r">€{number}7.50</span><button>Add to cart</button>
<p class="css-d">A lamp of {wood.lower()} that has been made by hand in {number + 3} long days of work.</p>
<dl><dt>Weight</dt><dd>{number}.5 kg</dd><dt>Wood</dt><dd>{wood}</dd></dl>
<h2>You may also like</h2><div>{card((number + 1) % 8)}{card((number + 3) % 8)}</div>"""
    return framed(f"{wood} lamp {number}", body, f"p/{number}.html")


def framed(title: str, body: str, path: str) -> Page:
    return Page(
        f"""<!DOCTYPE html><title>{title} – Hjem</title><body><header><a href="/">Hjem</a><nav><a href="/c">All</a>
<a href="/about">About</a></nav></header><main>{body}</main>
<footer><p>© 2026 Hjem, made in {len(title) * 7} ms</p></footer></body>""",
        url=f"https://hjem.example/{path}",
    )


PRODUCTS = [product(number) for number in range(8)]
LISTS = [
    framed(f"Page {n}", "".join(map(card, range(5 * n, 5 * n + 5))), f"c/{n}") for n in range(4)
]


def test_fields_of_hashed_markup_are_named_by_their_part_and_kind() -> None:
    item = induce(PRODUCTS[:7]).items(PRODUCTS[7])[0]
    wanted = {
        "title": "Fig lamp 7",
        "breadcrumb": "Fig things",
        "price": "€77.50",
        "weight": "7.5 kg",
        "wood": "Fig",
    }
    assert {name: item.get(name) for name in wanted} == wanted
    assert item["description"].startswith("A lamp of fig")


def test_the_sites_frame_and_links_to_other_products_are_no_fields() -> None:
    held = str(induce(PRODUCTS[:7]).items(PRODUCTS[7])[0])
    assert "©" not in held
    assert "Oak lamp 0" not in held


def test_lists_of_hashed_markup_have_names_too() -> None:
    records = induce(LISTS[:3]).items(LISTS[3])
    assert records == [
        {
            "url": f"https://hjem.example/p/{n}.html",
            "image": f"https://hjem.example/i/{n}.jpg",
            "title": f"{WOODS[n % 8]} lamp {n}",
            "price": f"€{n}7.50",
            **({"old_price": f"€{n}9.90"} if n % 2 else {}),
        }
        for n in range(15, 20)
    ]


def test_columns_of_a_table_are_named_by_its_heads() -> None:
    def table(first: int) -> Page:
        rows = "".join(
            f"<tr><td><a href=/w/{n}>{WOODS[n % 8]} {n}</a></td><td>{n * 7} kg</td><td>{1900 + n}</td></tr>"
            for n in range(first, first + 12)
        )
        heads = "<tr><th>Wood</th><th>Weight</th><th>Felled in</th></tr>"
        return Page(f"<h1>Woods</h1><table><thead>{heads}</thead><tbody>{rows}</tbody></table>")

    records = induce([table(3), table(40)]).items(table(77))
    assert len(records) == 12
    assert records[0] == {
        "wood": f"{WOODS[77 % 8]} 77",
        "wood_url": "/w/77",
        "weight": "539 kg",
        "felled_in": "1977",
    }


@pytest.mark.parametrize("number", [0, 3])
def test_one_page_teaches_its_template(number: int) -> None:
    page = PRODUCTS[number]
    example = {"name": f"{WOODS[number]} lamp {number}", "weight": f"{number}.5 kg"}
    wrapper = induce([page], examples=[example])
    assert [wrapper.items(page) for page in PRODUCTS] == [
        [{"name": f"{wood} lamp {n}", "weight": f"{n}.5 kg"}] for n, wood in enumerate(WOODS)
    ]


def test_one_page_without_examples_gives_its_labelled_facts() -> None:
    item = induce(PRODUCTS[2]).items(PRODUCTS[5])[0]
    assert item["title"] == "Box lamp 5"
    assert item["weight"] == "5.5 kg"
    assert item["wood"] == "Box"


def advert(number: int) -> Page:
    """A page without any class names, some of whose rows are missing."""
    rows = {"Price": f"$ {number}400", "Year": str(1990 + number), "Mileage": f"{number}7000 km"}
    if number % 4 == 3:
        del rows["Mileage"]
    rows["Fuel"] = "Diesel" if number % 2 else "Petrol"
    cells = "".join(
        f"<tr><td><b>{name}</b></td><td>{value}</td></tr>" for name, value in rows.items()
    )
    return Page(
        f"<table><tr><td><a href=/>Autos</a> | <a href=/sell>Sell</a></td></tr></table>"
        f"<font size=5><b>{WOODS[number % 8]} {number}</b></font><p>Ad no. {number}86</p><table>{cells}</table>"
    )


def test_a_missing_row_does_not_shift_the_values_of_others() -> None:
    wrapper = induce([advert(number) for number in range(16)])
    item = wrapper.items(advert(19))[0]
    assert "mileage" not in item
    assert (item["price"], item["year"], item["fuel"]) == ("$ 19400", "2009", "Diesel")
    assert "Year" not in item.values()


def opening(number: int) -> Page:
    city, hours = ("Oslo", "Rome", "Lima")[number % 3], ("Full-time", "Part-time")[number // 3 % 2]
    return Page(
        f"<title>Nurse {number}</title><h1>Nurse {number}</h1><div class='mt-2 flex'><span class='inline-flex'>{city}"
        f"</span><span class='inline-flex'>{hours}</span><span>{number}0,000 EUR</span></div>"
        f"<p>Apply before <b>{number} May</b></p>"
    )


def test_values_that_recur_are_not_taken_for_labels() -> None:
    item = induce([opening(number) for number in range(12)]).items(opening(17))[0]
    assert not {"oslo", "rome", "lima", "full_time", "part_time"} & set(item)
    assert {"Lima", "Part-time", "170,000 EUR"} <= set(map(str, item.values()))
    assert item["apply_before"] == "17 May"


def gallery(number: int) -> Page:
    page = product(number)
    picture = f'<div><img class="css-big" src="/large/{number}.jpg" alt=""></div><h1'
    logo = '<header><img src="/logo.png">'
    html = page.html.replace("<h1", picture).replace("<header>", logo)
    return Page(html, url=page.url)


def test_the_picture_of_a_page_is_a_field_with_its_whole_address() -> None:
    wrapper = induce([gallery(number) for number in range(7)])
    assert wrapper.items(gallery(7))[0]["image"] == "https://hjem.example/large/7.jpg"
    assert wrapper.extract(gallery(7)).records[0]["image"] == "/large/7.jpg"


def story(number: int) -> Page:
    topics = [("Food", "Travel", "Music")[(number + step) % 3] for step in range(1 + number % 3)]
    tags = "".join(f'<li><a href="/t/{topic}">{topic}</a></li>' for topic in topics)
    said = "".join(
        f'<div class="comment"><b>{("bob", "kim", "pat")[(number + n // 2) % 3]}</b><p>{WOODS[n]} is {number * 9 + n}.</p></div>'
        for n in range(number % 5)
    )
    return Page(
        f"<title>Story {number}</title><nav><a href=/t/Food>Food</a> <a href=/t/Music>Music</a></nav>"
        f"<h1>Story {number}</h1><p>All about the number {number} and what came of it in the long run.</p>"
        f'<ul class="tags">{tags}</ul><section><h2>{number % 5} comments</h2>{said}</section>'
    )


def test_repeated_parts_are_lists_under_the_name_of_their_heading() -> None:
    item = induce([story(number) for number in range(20)]).items(story(23))[0]
    assert item["tags"] == ["Music", "Food", "Travel"]
    lists = [value for value in item.values() if isinstance(value, list) and value[0] != "Music"]
    assert [len(records) for records in lists] == [3]
    assert set(map(str, lists[0][0].values())) == {"pat", "Oak is 207."}


def chapter(number: int, frame: str) -> Page:
    """A chapter of a manual between links to those before and behind it, inside an element of its own name."""
    paragraphs = "".join(
        f"<p>The {WOODS[(number + place) % 7]} is looked after in the way of number {number} and {place}.</p>"
        for place in range(3 + number % 3)
    )
    around = frame.format(before=number - 1, behind=number + 1, one=WOODS[number % 7])
    return Page(
        f"<html><head><title>{WOODS[number % 7]} {number}</title><link rel='prev' href='{number - 1}.html'></head><body>"
        f"<h2>{number}. About {WOODS[number % 7]}</h2><div id='about-{WOODS[number % 7].lower()}-it'>{paragraphs}</div>{around}"
        f"</body></html>",
        url=f"https://manual.example/{number}.html",
    )


@pytest.mark.parametrize(
    "frame",
    [
        "<a href='{before}.html'>To {one} before</a> <a rel='next' href='{behind}.html'>To {one} behind</a>",
        "<div class='navfooter'><table><tr><td>{before}. Before {one}</td><td>{behind}. Behind {one}</td></tr></table></div>",
        "<ul class='doc-nav'><li>{before}. Before {one}</li><li>{behind}. Behind {one}</li></ul>",
    ],
)
def test_the_ways_to_the_chapters_before_and_behind_are_no_data(frame: str) -> None:
    pages = [chapter(number, frame) for number in range(12)]
    (item,) = induce(pages, family="landmark").items(pages[3])
    assert "efore" not in str(item)
    assert "ehind" not in str(item)
    assert item["page_title"] == f"{WOODS[3]} 3"


def test_an_id_that_one_page_alone_has_is_no_name() -> None:
    pages = [chapter(number, "") for number in range(12)]
    (item,) = induce(pages, family="landmark").items(pages[3])
    assert not [name for name in item if "about" in name]
    assert len(item["description"]) == 3


def college(number: int) -> Page:
    name = f"{WOODS[number]}{'wyn ridge holm'.split()[number % 3]} College"
    rows = "".join(
        f"<tr><th>Figure {row}:</th><td>{(number * 7919 + row * 104729) % 9000}</td></tr>"
        for row in range(26)
    )
    return Page(
        f"<title>{name} - Colleges</title><body><h1>{name}</h1><h2>{name} statistics</h2><table>{rows}</table>"
        f"<p><span>(60{number}) 55{number}-98{number}0</span></p><p><a href='http://www.{name[:5]}.edu'>www.{name[:5]}.edu</a></p>"
        f"<h3>Costs of {name}</h3></body>"
    )


def test_what_anybody_recognises_is_a_field_without_a_label_and_the_title_is_one_once() -> None:
    pages = [college(number) for number in range(8)]
    item = induce(pages).items(pages[3])[0]
    assert {"(603) 553-9830", "www.Firwy.edu"} <= set(item.values())
    assert [value for value in item.values() if "College" in value] == [
        "Firwyn College - Colleges",
        "Firwyn College",
    ]
