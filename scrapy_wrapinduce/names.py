"""Field names from what pages say."""

from __future__ import annotations

import re

CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
NOT_WORD = re.compile(r"[\W_]+")
NAME_LENGTH = 40


def slug(text: str) -> str:
    """A text as a field name.

    >>> slug("Directed By:"), slug("Größe (cm)"), slug("価格")
    ('directed_by', 'größe_cm', '価格')
    """
    name = NOT_WORD.sub("_", text.lower()).strip("_")
    if len(name) > NAME_LENGTH:
        name = name[:NAME_LENGTH].rsplit("_", 1)[0]
    return f"n{name}" if name[:1].isdigit() else name


def name_of_property(name: str) -> str:
    """A property as vocabularies write it, as a field name.

    >>> name_of_property("recipeIngredient")
    'recipe_ingredient'
    """
    return slug(CAMEL.sub(" ", name))
