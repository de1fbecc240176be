"""What fields are commonly called, and what their values look like.

General knowledge about the names people give to fields, used when a schema is given by names alone. Users
add to it with :func:`add_synonyms`.
"""

from __future__ import annotations

import re

_SPLIT = re.compile(r"[\W_]+")
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")

# Words that mean the same as a field's name, in labels and in markup.
_SYNONYMS: dict[str, str] = {
    "address": "street|street address|location|addr|mailing address|main address|find us|where",
    "author": "by|written by|authors|writer|creator|byline|contributor",
    "availability": "stock|in stock|stock status|available",
    "brand": "manufacturer|make|maker|vendor",
    "category": "genre|section|department|type|subject",
    "city": "town|location|locality",
    "company": "employer|company name|organization|organisation|hiring organization|advertiser|firm|recruiter",
    "country": "nation|location",
    "cuisine": "cuisines|food|food type|type of food|cooking|category|kitchen|style",
    "currency": "price currency",
    "date": "published|posted|updated|date published|day|released|time",
    "date_posted": "posted|date|posted on|post date|listed|created|creation date|posting date|updated|published",
    "description": "summary|about|overview|synopsis|details|product description|profile|abstract|bio",
    "director": "directed by|directors|direction|filmmaker",
    "email": "e mail|mail|contact",
    "engine": "engine type|motor|standard engine|engines|powertrain|base engine",
    "fuel_economy": "mpg|gas mileage|mileage|fuel consumption|epa|fuel|city hwy|est mpg|miles per gallon",
    "genre": "genres|category|categories|kind|style",
    "height": "ht|tall|listed height",
    "image": "photo|picture|thumbnail|img",
    "isbn": "isbn 13|isbn13|isbn 10|ean|isbn10",
    "isbn_10": "isbn10|isbn",
    "isbn_13": "isbn13|isbn|ean|isbn 10",
    "language": "languages|lang",
    "location": "city|place|job location|address|where|area|region|work location|city state",
    "manufacturer": "brand|make|mfg|mfr|maker|by|vendor|manufactured by|company",
    "model": "product name|vehicle|title|name|item|product|model name",
    "mpaa_rating": "rated|rating|mpaa|certificate|certification|mpaa rating|content rating",
    "name": "title|full name|heading|fn",
    "pages": "page count|number of pages|length|pp",
    "phone": "telephone|tel|phone number|call|telephone number|contact|main phone|general phone|ph|official telephone",
    "position": "pos|role",
    "price": "msrp|our price|cost|list price|sale price|your price|amount|retail price|starting at|base price|final price|now",
    "publication_date": "pub date|published|publish date|publishing date|date published|date|release date|year|date publ",
    "publisher": "published by|imprint|publishing house|pub",
    "rating": "stars|score|average rating|user rating",
    "review_count": "reviews|number of reviews",
    "salary": "pay|base pay|compensation|wage",
    "sku": "item number|product code|item|part number|product id|item no",
    "team": "club|current team|franchise|squad",
    "title": "name|headline|heading|job title|product name|book title|movie title|subject",
    "type": "control|affiliation|type of school|kind|category|sector|institution type|classification",
    "url": "link|permalink",
    "website": "url|homepage|web site|web|home page|site|visit website|internet|main homepage|www",
    "weight": "wt|lbs|listed weight",
    "year": "founded|year established|established",
}  # fmt: skip

# Words beside a field's name that make it another field: the fax is no phone, the discount no price.
_OTHERS: dict[str, str] = {
    "price": "invoice original was old combo bundle discount save saving savings shipping tax total delivery monthly financing",
    "phone": "fax",
    "telephone": "fax",
    "name": "team user login company first last middle nick file brand",
    "title": "page site user",
    "author": "illustrator reviewer about",
    "date": "birth",
    "address": "email e mail ip web",
    "rating": "mpaa",
    "weight": "shipping",
}  # fmt: skip

# The names of what a page is about; its heading and its title say it.
TOPICS = frozenset("title name model headline heading product_name job_title fn".split())

_KINDS: dict[str, tuple[str, ...]] = {
    "money": ("price", "cost", "salary", "msrp", "tuition", "fee", "amount"),
    "phone": ("phone", "telephone", "tel", "fax"),
    "date": ("date", "posted", "published", "released", "birthdate", "birthday", "updated"),
    "link": ("website", "url", "homepage", "link"),
    "isbn": ("isbn", "ean"),
    "email": ("email", "mail"),
    "address": ("address", "street"),
    "measure": ("height", "weight", "size", "length", "width", "depth"),
    "number": ("count", "number", "age", "pages", "score", "quantity"),
}
_PATTERNS = {
    "money": re.compile(r"[$€£¥₹]\s?\d|\d\s?(?:[€£]|(?:usd|eur|gbp)\b)|\bcall for\b", re.IGNORECASE),
    "phone": re.compile(r"(?<!\d)(?:\+?\d[\d\s().\-/]{5,17}\d)(?!\d)"),
    "date": re.compile(
        r"\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\b|\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}"
        r"|\b(?:19|20)\d\d\b",
        re.IGNORECASE,
    ),
    "link": re.compile(r"https?://|\bwww\.|\.(?:com|edu|org|net|gov|[a-z]{2})(?:/|$)", re.IGNORECASE),
    "isbn": re.compile(r"\b(?:97[89][- ]?)?(?:\d[- ]?){9}[\dxX]\b"),
    "email": re.compile(r"[^\s@]+@[^\s@]+\.[a-z]", re.IGNORECASE),
    "address": re.compile(
        r"^\d+[a-z]?,?\s+[^\W\d]|\b[A-Z]{2}\s+\d{5}\b|\b(?:street|avenue|ave|road|rd|blvd|boulevard|drive|lane|parkway|hwy|"
        r"highway|suite|plaza|platz|rue|calle|via|piazza|straat)\b|stra(?:ß|ss)e|str\.|〒|区|丁目|ул\.",
        re.IGNORECASE,
    ),
    "measure": re.compile(
        r"\d\s*(?:['’\"]|(?:ft|in|cm|m|lbs?|kg|g|mm|pounds|inches|oz)\b)|^\d{1,2}-\d{1,2}$|^\d+(?:[.,]\d+)?$",
        re.IGNORECASE,
    ),
    "number": re.compile(r"^\D{0,3}\d[\d.,]*\D{0,8}$"),
}  # fmt: skip
_TEXT_LENGTH = 200


def words_of(name: str) -> tuple[str, ...]:
    """The words of a field name, whatever way it is written.

    >>> words_of("publicationDate"), words_of("fuel_economy")
    (('publication', 'date'), ('fuel', 'economy'))
    """
    return tuple(_SPLIT.sub(" ", _CAMEL.sub(" ", name)).lower().split())


def phrases_for(name: str) -> list[tuple[str, ...]]:
    """The name itself and what else means the same, as words."""
    known = _SYNONYMS.get("_".join(words_of(name)), "")
    return [words_of(name), *(words_of(other) for other in known.split("|") if other)]


def other_words(name: str) -> frozenset[str]:
    """Words that, beside a field's name, mean another field."""
    return frozenset(_OTHERS.get("_".join(words_of(name)), "").split())


def add_synonyms(name: str, *others: str) -> None:
    """Teach other words for a field name, for all later learning in this process."""
    key = "_".join(words_of(name))
    _SYNONYMS[key] = "|".join(filter(None, (_SYNONYMS.get(key, ""), *others)))


def kind_of(name: str) -> str:
    """What kind of value a field's name promises, or nothing.

    >>> kind_of("list_price"), kind_of("publication_date"), kind_of("colour")
    ('money', 'date', '')
    """
    words = words_of(name)
    for kind, names in _KINDS.items():
        if any(word in names for word in words):
            return kind
    return ""


def is_kind(text: str, kind: str) -> bool:
    """Whether a text looks like a value of a kind."""
    return len(text) <= _TEXT_LENGTH and _PATTERNS[kind].search(text) is not None
