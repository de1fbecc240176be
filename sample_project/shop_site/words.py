"""The vocabulary of the made-up site, and the sentences made from it.

Some titles hold words that the page templates use as labels ("Price", "Description", "By"): a
reader of the pages that looks for such a word alone is led astray, as on real sites.
"""

from __future__ import annotations

import re
from random import Random

CATEGORIES = {
    "Books": ("Atlas", "Handbook", "Almanac", "Reader", "Field Guide", "Novel", "Cookbook"),
    "Kitchen": ("Kettle", "Skillet", "Carafe", "Salt & Pepper Set", "Bread Knife", "Mixing Bowl"),
    "Garden": ("Trowel", "Watering Can", "Bird Feeder", "Seed Box", "Pruning Saw", "Planter"),
    "Stationery": ("Notebook", "Fountain Pen", "Desk Diary", "Letter Opener", "Ink Bottle"),
    "Lighting": ("Desk Lamp", "Lantern", "Reading Light", "Candle Holder", "Pendant Shade"),
}
ADJECTIVES = (
    "Quiet", "Copper", "Northern", "Everyday", "Harbour", "Folding", "Blue Hour", "Heritage",
    "Linen", "Small", "Second-Best", "Winter", "Orchard", "Cobalt", "Travelling", "Plain",
    "Weatherproof", "Little", "Great Western", "Ash & Oak", "Moonlit", "Sunday", "Tall", "Slate",
    "Wild Thyme", "Chestnut", "Old Mill", "Featherweight", "Half-Pint", "Cornish",
)  # fmt: skip
ODD_TITLES = {
    "Books": ("The Price of Light", "A Description of British Birds", "Reviews & Other Lies"),
    "Kitchen": ("Fair Price Kettle", "In Stock: A Soup Pot", "Brand New Skillet"),
    "Garden": ("Weight of Water Planter", "Colour Me Green Seed Box"),
    "Stationery": ("Price List Notebook", "Description & Details Desk Diary", "SKU Label Set"),
    "Lighting": ("Rating Five Stars Lantern", "The Was & Now Lamp"),
}
ODD_HEADLINES = (
    "By the river: a walk in three bridges",
    "Tags, labels and the art of the jam jar",
    "Published and be damned: a printer remembers",
    "The price of a good chair",
    "Read next: the return of the chapbook",
)
HEADLINE_STARTS = (
    "How we learned to love", "In praise of", "The secret life of", "Notes on", "A year with",
    "What nobody tells you about", "Seven days without", "The long history of", "Against",
    "Why we keep", "A short guide to", "Letters about", "The trouble with", "Coming home to",
)  # fmt: skip
HEADLINE_ENDS = (
    "cast iron", "the morning paper", "hand-thrown pots", "paper lanterns", "winter gardens",
    "slow coffee", "old maps", "the kitchen table", "moths & other guests", "ink", "rhubarb",
    "the corner shop", "night trains", "allotments", "bookmarks", "rain", "the perfect loaf",
    "window seats", "lamplight", "unread books", "secondhand tools",
)  # fmt: skip
COUNTRIES = ("England", "Wales", "Portugal", "Denmark", "Japan", "Scotland", "Italy", "Estonia")
TOWNS = ("Bristol", "Leeds", "Totnes", "Glasgow", "Aberystwyth", "Norwich", "Whitby", "Derry")
ROLES = ("Staff writer", "Editor", "Columnist", "Contributor", "Gardening correspondent")
SECTIONS = ("Home", "Food", "Outdoors", "Reading", "Makers")
TAGS = (
    "craft", "winter", "coffee", "paper", "history", "garden", "repair", "slow living", "recipes",
    "interview", "travel", "design", "ceramics", "light",
)  # fmt: skip
NOTES = (
    "Gift wrapping available",
    "Part of our spring event",
    "Last chance to buy",
    "Made to order",
)
FIRST = (
    "Ada", "Bruno", "Carys", "Dev", "Elin", "Farah", "Gwen", "Hugo", "Ines", "Jonas", "Keiko",
    "Liam", "Maud", "Nils", "Orla", "Priya", "Rosa", "Samir", "Tilda", "Wendell",
)  # fmt: skip
LAST = (
    "Ashdown", "Byrne", "Castellan", "Dunmore", "Eriksen", "Fairweather", "Okafor", "Hollis",
    "Ito", "Jessop", "Kaur", "Lindqvist", "Moreau", "Nakamura", "O'Hare", "Pryce", "Quill",
)  # fmt: skip
BRAND_STARTS = (
    "Harrow", "Finch", "Marlow", "Tidewater", "Beck", "Larkspur", "Holm", "Quayside", "Ember",
    "Fennel", "Granary", "Juniper", "Kestrel", "Lode", "Merrow", "Nettle", "Otter", "Pike",
    "Rookery", "Sable", "Teasel", "Umber", "Vesper", "Wren",
)  # fmt: skip
BRAND_ENDS = ("& Sons", "Works", "Studio", "Goods", "Press", "& Daughters", "Supply Co.", "House")
MATERIALS = ("Oak", "Stoneware", "Brass", "Recycled glass", "Enamelled steel", "Linen", "Beech")
COLOURS = ("Black", "Sea green", "Ochre", "Natural", "Brick red", "White & blue", "Charcoal")
LANGUAGES = ("English", "Welsh", "French", "English & Japanese")
BINDINGS = ("Hardback", "Paperback", "Cloth-bound", "Spiral")
_SUBJECTS = (
    "The maker", "Our buyer", "This one", "The shape", "The finish", "A friend of the shop",
    "The first batch", "Whoever drew it", "The handle", "The workshop",
)  # fmt: skip
_VERBS = (
    "was found in", "goes well with", "has been tested in", "owes a good deal to",
    "travelled a long way from", "never looks out of place in", "began as a sketch for",
    "reminds us of", "was made for", "has outlived",
)  # fmt: skip
_OBJECTS = (
    "a draughty kitchen", "long evenings", "the back of a van", "an allotment shed",
    "a very small flat", "three generations of cooks", "a harbour café", "the post-war years",
    "a reading room in Leeds", "most fashions", "a busy household", "the end of a long table",
)  # fmt: skip
_TAILS = (
    "and it shows", "for a fair price", "as every description of it says", "without a fuss",
    "which is rarer than it sounds", "and we are glad of it", "in all weathers",
    "by our reckoning", "or so the reviews say", "and nothing more",
)  # fmt: skip
_ADS = (
    "Free delivery over £40", "Try our newsletter", "Lamp oil, now in litres", "Visit the café",
    "Subscribe & save 10%", "Gift cards for every purse", "Open late on Thursdays",
)  # fmt: skip


def slug(text: str) -> str:
    """The text as it stands in an address."""
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")


class Titles:
    """Hands out every title once."""

    def __init__(self, rng: Random) -> None:
        self._rng = rng
        self._seen: set[str] = set()
        self._odd = {name: list(titles) for name, titles in ODD_TITLES.items()}
        self._odd_headlines = list(ODD_HEADLINES)

    def product(self, category: str) -> str:
        odd = self._odd[category]
        if odd and self._rng.random() < 0.1:
            return odd.pop()
        return self._fresh(ADJECTIVES, CATEGORIES[category])

    def headline(self) -> str:
        if self._odd_headlines and self._rng.random() < 0.08:
            return self._odd_headlines.pop()
        return self._fresh(HEADLINE_STARTS, HEADLINE_ENDS)

    def _fresh(self, starts: tuple[str, ...], ends: tuple[str, ...]) -> str:
        while True:
            title = f"{self._rng.choice(starts)} {self._rng.choice(ends)}"
            if title not in self._seen:
                self._seen.add(title)
                return title


def brand_names(rng: Random, count: int) -> list[str]:
    return [f"{start} {rng.choice(BRAND_ENDS)}" for start in BRAND_STARTS[:count]]


def person_names(rng: Random, count: int) -> list[str]:
    first, last = rng.sample(FIRST, count), rng.sample(LAST, count)
    return [f"{given} {family}" for given, family in zip(first, last, strict=True)]


def first_name(rng: Random) -> str:
    return rng.choice(FIRST)


def sentence(rng: Random) -> str:
    tail = f", {rng.choice(_TAILS)}" if rng.random() < 0.6 else ""
    return f"{rng.choice(_SUBJECTS)} {rng.choice(_VERBS)} {rng.choice(_OBJECTS)}{tail}."


def paragraph(rng: Random, least: int, most: int) -> str:
    return " ".join(sentence(rng) for _ in range(rng.randint(least, most)))


def description(rng: Random, category: str) -> tuple[str, ...]:
    opening = f"{rng.choice(ADJECTIVES)} by name and by nature. {sentence(rng)}"
    more = tuple(paragraph(rng, 1, 3) for _ in range(rng.choice((0, 1, 1, 2))))
    return (opening, *more)


def article_text(rng: Random) -> tuple[str, ...]:
    return tuple(paragraph(rng, 2, 5) for _ in range(rng.randint(3, 8)))


def standfirst(rng: Random) -> str:
    return f"{rng.choice(FIRST)} and the question of {rng.choice(HEADLINE_ENDS)}: {sentence(rng)}"


def caption(rng: Random) -> str:
    return f"{rng.choice(ADJECTIVES)} light over {rng.choice(TOWNS)}, photographed in the rain"


def quote(rng: Random) -> str:
    return f"I never cared for {rng.choice(HEADLINE_ENDS)}, until {rng.choice(_OBJECTS)}"


def review_text(rng: Random) -> str:
    return paragraph(rng, 1, 2)


def brand_text(rng: Random, name: str) -> str:
    return f"{name} {rng.choice(_VERBS)} {rng.choice(_OBJECTS)}. {paragraph(rng, 1, 3)}"


def author_text(rng: Random, name: str) -> str:
    given = name.split(maxsplit=1)[0]
    return f"{given} writes about {rng.choice(HEADLINE_ENDS)}. {paragraph(rng, 1, 2)}"


def availability(rng: Random) -> str:
    draw = rng.random()
    if draw < 0.55:
        return "In stock"
    if draw < 0.75:
        return f"Only {rng.randint(2, 9)} left"
    return "Out of stock" if draw < 0.87 else f"Ships in {rng.randint(2, 6)} weeks"


def ads(rng: Random) -> tuple[str, ...]:
    return tuple(rng.sample(_ADS, rng.choice((0, 0, 1, 1, 2, 3))))


def specs(rng: Random, category: str) -> dict[str, str]:
    """Label → value, in the order of the page; most labels are missing on some pages."""
    if category == "Books":
        every = {
            "ISBN": f"978-{rng.randint(0, 9)}-{rng.randint(100, 999)}-{rng.randint(10000, 99999)}-0",
            "Pages": str(rng.randint(48, 880)),
            "Language": rng.choice(LANGUAGES),
            "Binding": rng.choice(BINDINGS),
            "Weight": f"{rng.randint(120, 1900)} g",
        }
        always = {"ISBN", "Pages"}
    else:
        sides = " × ".join(str(rng.randint(3, 60)) for _ in range(3))
        every = {
            "Material": rng.choice(MATERIALS),
            "Colour": rng.choice(COLOURS),
            "Dimensions": f"{sides} cm",
            "Weight": f"{rng.randint(1, 9)}.{rng.randint(0, 9)} kg",
            "Guarantee": f"{rng.randint(1, 25)} years",
        }
        always = {"Material"}
    return {
        label: value for label, value in every.items() if label in always or rng.random() < 0.75
    }
