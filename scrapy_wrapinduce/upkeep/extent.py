"""How long the values of a page are, all fields taken together (Meng, Hu, Li 2003, section 5: numeric features).

One value that is shorter than usual says nothing; values that are all shorter are cut off. Each field's lengths are measured in its own
deviations from its own mean, and the mean over the fields in those of the pages that the wrapper was healthy on: fields
whose lengths go together, such as a title that a page repeats, are allowed for by that.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from .features import spread

if TYPE_CHECKING:
    from .features import Profile
    from .sightings import Sighting

Sightings = Mapping[str, Sequence["Sighting"]]

_LEAST_KNOWN = 3
_LEAST_FIELDS = 3
_LEAST_PAGES = 5
_LEAST_DEVIATION = 0.15  # of logarithms: a price has a digit more
_FARTHEST = 2.0  # one field must not decide alone
_VALUES = 5
_LEAST_OF_PAGES = 0.08
_SURELY = 3.5
# Pages that follow each other are often of one kind: many of them say less than so many by chance.
_LEAST_ERROR = 0.7
_PRESUMED = 2  # pages


def extent(profiles: Mapping[str, Profile], sightings: Sightings) -> float | None:
    """How much longer than usual a page's values are, in deviations; None where too few fields tell."""
    offs = []
    for name, known in profiles.items():
        values = [sighting.value for sighting in sightings.get(name, ())[:_VALUES]]
        if values and known.count >= _LEAST_KNOWN:
            long = sum(math.log1p(len(value)) for value in values) / len(values)
            mean, deviation = known.length
            # A sample's own mean is nearer to its values than to new ones.
            off = math.sqrt(known.count / (known.count + 1)) * (long - mean)
            off /= max(deviation, _LEAST_DEVIATION)
            offs.append(max(-_FARTHEST, min(_FARTHEST, off)))
    return sum(offs) / len(offs) if len(offs) >= _LEAST_FIELDS else None


def usual_extent(
    profiles: Mapping[str, Profile], pages: Sequence[Sightings]
) -> tuple[float, float] | None:
    """The mean and the deviation over healthy pages; None where there are too few of them."""
    found = [off for page in pages if (off := extent(profiles, page)) is not None]
    return spread(found) if len(found) >= _LEAST_PAGES else None


def beyond(
    usual: tuple[float, float],
    profiles: Mapping[str, Profile],
    pages: Sequence[Sightings],
    known: int,
) -> float:
    """How far the pages' values together are longer (or, below zero, shorter) than is likely; 0.0 where it may be chance.

    ``known`` is how many healthy pages the usual is of.
    """
    found = [off for page in pages if (off := extent(profiles, page)) is not None]
    if not found:
        return 0.0
    mean, deviation = usual
    # Few pages may be more alike than most: some count beside them whose fields vary each for itself.
    alone = _PRESUMED / sum(p.count >= _LEAST_KNOWN for p in profiles.values())
    deviation = math.sqrt((known * deviation**2 + alone) / (known + _PRESUMED))
    error = math.hypot(max(1 / math.sqrt(len(found)), _LEAST_ERROR), 1 / math.sqrt(known))
    error *= max(deviation, _LEAST_OF_PAGES)
    far = _as_of_many((sum(found) / len(found) - mean) / error, known)
    return far if abs(far) >= _SURELY else 0.0


def _as_of_many(far: float, known: int) -> float:
    """What a distance in deviations would be as likely as, were the deviation not that of a few pages.

    Student's distribution as a normal one (Wallace 1959).
    """
    free = max(1, known - 1)
    scale = (8 * free + 1) / (8 * free + 3)
    return math.copysign(scale * math.sqrt(free * math.log1p(far * far / free)), far)
